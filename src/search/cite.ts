/** From ranked documents to citations: the best sentence of each, word for word. */
import type { StoredDocument } from '../store/index/documents/documents.ts';
import type { Citation, DocumentNumber, Provenance } from '../types.ts';
import { chooseSentence } from './choose-sentence.ts';
import { shownScore } from './rank.ts';
import type { Ranked } from './ranked.ts';

/** Specification 2.3: the first few authors only. */
const AUTHORS_CITED = 3;

/** A document with what is told of lanes' alone. */
export interface CitableDocument extends StoredDocument {
  lane?: Provenance;
  /** The abstract, where more than that may be quoted. */
  ownAbstract?: string;
}

export interface CitableReader {
  read(document: DocumentNumber): CitableDocument;
}

/** A citation for each of the documents; one without an abstract is cited by its title. */
export function cite(
  ranked: readonly Pick<Ranked, 'document' | 'candidate' | 'score'>[],
  documents: CitableReader,
  { withAbstract }: { withAbstract: boolean },
): Citation[] {
  return ranked.map(({ document: number, candidate, score }) => {
    const document = documents.read(number);
    const chosen = document.spans[chooseSentence(candidate, document.spans)];
    const quote =
      chosen === undefined ? document.title : document.abstract.slice(chosen.start, chosen.end);
    return toCitation(document, { score, quote, withAbstract });
  });
}

function toCitation(
  document: CitableDocument,
  { score, quote, withAbstract }: { score: number; quote: string; withAbstract: boolean },
): Citation {
  return {
    d: document.id,
    t: document.title,
    y: document.year,
    a: document.authors.slice(0, AUTHORS_CITED),
    s: shownScore({ score }),
    q: quote,
    ...(withAbstract ? { ab: document.ownAbstract ?? document.abstract } : {}),
    src: document.lane ?? 'corpus',
  };
}
