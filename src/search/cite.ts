/** From ranked documents to citations: the best sentence of each, word for word. */
import type { DocumentReader, StoredDocument } from '../store/documents.ts';
import { FIRST_SENTENCE } from '../store/embeddings.ts';
import type { Citation, DocumentNumber, SearchRequest } from '../types.ts';
import { chooseSentence, stemWeights } from './choose-sentence.ts';
import type { Fused } from './fuse.ts';

/** Specification 2.3: the first few authors only. */
const AUTHORS_CITED = 3;

/**
 * Documents whose texts tell how rare a word of the query is. Always as many, however many results
 * were asked for: the same document must not be quoted differently.
 */
const WEIGHING_DOCUMENTS = 20;

export interface CiteOptions {
  request: SearchRequest;
  words: readonly string[];
  ranked: readonly Fused[];
  /** The cosines of each document's vectors: see embeddings.ts for their order. */
  candidates: ReadonlyMap<DocumentNumber, { cosines: Float64Array }>;
  documents: DocumentReader;
}

/** One citation for each of the best documents; one without an abstract is cited by its title. */
export function cite({ request, words, ranked, candidates, documents }: CiteOptions): Citation[] {
  const found = ranked
    .slice(0, Math.max(request.limit, WEIGHING_DOCUMENTS))
    .map((fused) => ({ fused, document: documents.read(fused.document) }));
  const texts = found.slice(0, WEIGHING_DOCUMENTS).map(({ document }) => document.abstract);
  const weights = stemWeights(words, texts);
  return found.slice(0, request.limit).map(({ fused, document }) => {
    const cosines = candidates.get(fused.document)?.cosines.subarray(FIRST_SENTENCE) ?? [];
    const { abstract: text, spans } = document;
    const chosen = spans[chooseSentence({ text, spans, cosines, weights })];
    const quote = chosen === undefined ? document.title : text.slice(chosen.start, chosen.end);
    return toCitation(document, { score: fused.score, quote, withAbstract: request.withAbstract });
  });
}

function toCitation(
  document: StoredDocument,
  { score, quote, withAbstract }: { score: number; quote: string; withAbstract: boolean },
): Citation {
  return {
    d: document.id,
    t: document.title,
    y: document.year,
    a: document.authors.slice(0, AUTHORS_CITED),
    s: Math.round(score * 1000) / 1000,
    q: quote,
    ...(withAbstract ? { ab: document.abstract } : {}),
    src: 'corpus',
  };
}
