/** Which documents of lanes may be shown, which are worth embedding, and what is quoted of each. */
import { quotableSpans } from '../../text/quotable.ts';
import { splitSentences } from '../../text/split-sentences.ts';
import type { SentenceSpan } from '../../types.ts';
import type { LaneDocument } from '../lane/lane.ts';
import { groupLanePapers, textRank } from './lane-papers.ts';

/**
 * Drops withheld documents, and the copies that other lanes have of a retracted paper. Copies of a
 * withdrawn preprint stay, because the paper may be published by now. Each document gets the
 * identifiers and notices of all its copies.
 */
export function dropWithheld(documents: readonly LaneDocument[]): LaneDocument[] {
  const groups = groupLanePapers(documents);
  const copiesOf = (at: number): LaneDocument[] =>
    documents.filter((_, other) => groups[other] === groups[at]);
  return documents.flatMap((document, at) => {
    const copies = copiesOf(at);
    const isRetracted = copies.some(({ withheld }) => withheld === 'retracted');
    if (isRetracted || document.withheld !== undefined) return [];
    const known = copies
      .filter(({ withheld }) => withheld === undefined)
      .map(({ identifiers }) => identifiers);
    // The document's own identifiers win over those of its copies.
    const identifiers = Object.assign({}, ...known, document.identifiers);
    const notices = copies.flatMap((copy) => copy.notices ?? []);
    return [{ ...document, identifiers, notices }];
  });
}

/** A lane's document as it is scored and quoted. */
export interface QuotableDocument extends LaneDocument {
  /** All text that may be quoted: the abstract, then the excerpt. */
  abstract: string;
  sentences: SentenceSpan[];
  /** The abstract alone, for `ab`. */
  ownAbstract: string;
}

export interface SelectionLimits {
  laneDocumentsScoredMax: number;
  laneSentenceCharactersMax: number;
}

/**
 * The documents to score: deduplicated, and interleaved by rank (round robin over the lanes),
 * because the scores of different lanes do not compare. Of several copies of a paper, the one with
 * the most text stays.
 */
export function selectDocuments(
  documents: readonly LaneDocument[],
  limits: SelectionLimits,
): QuotableDocument[] {
  const groups = groupLanePapers(documents);
  const kept = new Map<number, LaneDocument>();
  for (const [at, document] of documents.entries()) {
    const group = groups[at] as number;
    const known = kept.get(group);
    if (known === undefined || textRank(document) > textRank(known)) kept.set(group, document);
  }
  const seen = new Map<string, number>();
  return [...kept.values()]
    .map((document) => {
      const rank = seen.get(document.lane) ?? 0;
      seen.set(document.lane, rank + 1);
      return { document, rank };
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limits.laneDocumentsScoredMax)
    .map(({ document }) => toQuotable(document, limits.laneSentenceCharactersMax));
}

function toQuotable(document: LaneDocument, charactersMax: number): QuotableDocument {
  const { abstract, excerpt } = document;
  const all = document.sentences ?? splitSentences(abstract);
  const sentences = quotableSpans(abstract, all, charactersMax);
  if (excerpt === undefined) return { ...document, sentences, ownAbstract: abstract };
  // The space belongs to no sentence, so no quote crosses it.
  const text = abstract === '' ? excerpt.text : `${abstract} ${excerpt.text}`;
  const offset = text.length - excerpt.text.length;
  const fromExcerpt = excerpt.sentences.map(({ start, end }) => ({
    start: start + offset,
    end: end + offset,
  }));
  return {
    ...document,
    abstract: text,
    ownAbstract: abstract,
    sentences: [...sentences, ...fromExcerpt],
  };
}
