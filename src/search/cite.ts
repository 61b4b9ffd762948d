/** Turns ranked documents into citations: the best sentence of each, word for word. */
import type { StoredDocument } from '../store/index/documents/documents.ts';
import type { Citation, DocumentNumber, Provenance } from '../types.ts';
import { chooseSentence } from './choose-sentence.ts';
import { shownScore } from './rank.ts';
import type { Ranked } from './ranked.ts';

/** A citation names only the first authors. */
const AUTHORS_CITED = 3;

/** A document of the index or of a fallback lane. */
export interface CitableDocument extends StoredDocument {
  /** The lane that returned it. Absent for a document of the index. */
  lane?: Provenance;
  /** The abstract, where `abstract` also holds other quotable text. */
  ownAbstract?: string;
}

export interface CitableReader {
  read(document: DocumentNumber): CitableDocument;
}

/** One citation per document, in their order. A document without an abstract is quoted by its title. */
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
