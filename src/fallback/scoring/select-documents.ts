/** Which of the lanes' documents are worth the time to embed them, and what of them. Pure. */

import { groupSamePapers, identityOf } from '../../search/same-paper.ts';
import { quotableSpans } from '../../text/quotable.ts';
import { splitSentences } from '../../text/split-sentences.ts';
import type { SentenceSpan } from '../../types.ts';
import type { LaneDocument } from '../lane/lane.ts';

/** A lane's document as it is scored and quoted. */
export interface QuotableDocument extends LaneDocument {
  /** All that may be quoted: the abstract, and behind it what else the lane showed of the paper. */
  abstract: string;
  sentences: SentenceSpan[];
  /** The abstract alone, for those who ask for it. */
  ownAbstract: string;
}

export interface SelectionLimits {
  laneDocumentsScoredMax: number;
  laneSentenceCharactersMax: number;
}

/**
 * At most so many, each paper once, with its abstract where a lane has it. The lanes take turns:
 * each has put its best first, and their own scores do not compare.
 */
export function selectDocuments(
  documents: readonly LaneDocument[],
  limits: SelectionLimits,
): QuotableDocument[] {
  const groups = groupSamePapers(documents.map(identityOf));
  const kept = new Map<number, LaneDocument>();
  for (const [at, document] of documents.entries()) {
    const group = groups[at] as number;
    const known = kept.get(group);
    if (known === undefined || worthOf(document) > worthOf(known)) kept.set(group, document);
  }
  const seen = new Map<string, number>();
  return [...kept.values()]
    .map((document) => {
      const place = seen.get(document.lane) ?? 0;
      seen.set(document.lane, place + 1);
      return { document, place };
    })
    .sort((a, b) => a.place - b.place)
    .slice(0, limits.laneDocumentsScoredMax)
    .map(({ document }) => toQuotable(document, limits.laneSentenceCharactersMax));
}

/** An abstract tells more than an excerpt, and that more than a title. */
function worthOf({ abstract, excerpt }: LaneDocument): number {
  if (abstract !== '') return 2;
  return excerpt === undefined ? 0 : 1;
}

function toQuotable(document: LaneDocument, charactersMax: number): QuotableDocument {
  const { abstract, excerpt } = document;
  const all = document.sentences ?? splitSentences(abstract);
  const sentences = quotableSpans(abstract, all, charactersMax);
  if (excerpt === undefined) return { ...document, sentences, ownAbstract: abstract };
  // A space belongs to no sentence, so nothing is quoted across it.
  const text = abstract === '' ? excerpt.text : `${abstract} ${excerpt.text}`;
  const by = text.length - excerpt.text.length;
  const further = excerpt.sentences.map(({ start, end }) => ({ start: start + by, end: end + by }));
  return {
    ...document,
    abstract: text,
    ownAbstract: abstract,
    sentences: [...sentences, ...further],
  };
}
