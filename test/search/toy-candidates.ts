/** Candidates made of texts and toy vectors, for tests of the ranking. */

import { encodeEmbeddings, ownVectorOf } from '../../src/index/dense/embeddings.ts';
import type { TermStatistics } from '../../src/index/lexical/term-statistics.ts';
import {
  countInTitle,
  decodeTermVector,
  encodeTermVector,
  findTerm,
  sentenceMask,
} from '../../src/index/lexical/term-vectors.ts';
import type { Candidate, Match } from '../../src/search/candidates.ts';
import type { Ranked } from '../../src/search/ranked.ts';
import { splitSentences } from '../../src/text/split-sentences.ts';
import { termOf, termsOf } from '../../src/text/terms.ts';
import type { Embedding } from '../../src/types.ts';
import { toyVector } from '../index/memory-index.ts';

export interface ToyCandidate {
  document?: number;
  title?: string;
  abstract?: string;
  bm25?: number;
  /** The cosines with the query: document, title, sentences. */
  cosines?: number[];
  own?: Embedding;
  /** The query's words and the share of each. */
  shares?: Record<string, number>;
}

export function candidateOf(fields: ToyCandidate): Candidate {
  const { document = 1, title = '', abstract = '', bm25 = 0, cosines = [0, 0] } = fields;
  const { own = toyVector(`${document}`), shares = {} } = fields;
  const terms = decodeTermVector(encodeTermVector(title, abstract, splitSentences(abstract)));
  const matches = Object.entries(shares).flatMap(([word, share]): Match[] => {
    const at = findTerm(terms, termOf(word));
    if (at < 0) return [];
    return [{ inTitle: countInTitle(terms, at) > 0, mask: sentenceMask(terms, at), share }];
  });
  return {
    document,
    terms,
    matches,
    bm25,
    own: ownVectorOf(encodeEmbeddings(own, []), own.length),
    cosines: Float64Array.from(cosines),
  };
}

/** As the first round hands it on. */
export function rankedOf({ score = 0, ...fields }: ToyCandidate & { score?: number }): Ranked {
  const candidate = candidateOf(fields);
  return { document: candidate.document, candidate, score, firstScore: score };
}

/** Statistics of an index of these texts. */
export function statisticsOf(texts: readonly string[]): TermStatistics {
  const documents = texts.map((text) => termsOf(text));
  const lengths = documents.reduce((sum, terms) => sum + terms.length, 0);
  return {
    documents: documents.length,
    lengthMean: documents.length > 0 ? lengths / documents.length : 1,
    frequencyOf: (term) => documents.filter((terms) => terms.includes(term)).length,
  };
}

export function cosineOf(a: Embedding, b: Embedding): number {
  return a.reduce((sum, component, i) => sum + component * (b[i] as number), 0);
}
