/** What is handed to the threads that embed and score the documents of lanes. */
import type { QuantizedUnit } from '../../index/dense/embeddings.ts';
import type { SearchRequest } from '../../types.ts';
import type { LaneDocument } from '../lane/lane.ts';

/** Vectors of titles and sentences, by their texts. */
export type TextVectors = ReadonlyMap<string, QuantizedUnit>;

export interface EmbeddingTask {
  documents: readonly LaneDocument[];
  /** When to stop, in milliseconds since 1970. */
  until: number;
}

/** Documents to score for a search. */
export interface ScoringTask extends EmbeddingTask {
  request: SearchRequest;
  /** Vectors that exist already. */
  known: TextVectors;
}

/**
 * Resolves to undefined if there was no time to score any document. Returns undefined if too many
 * questions wait already.
 */
export type ScoreDocuments<Merged> = (task: ScoringTask) => Promise<Merged | undefined> | undefined;

/** Undefined if no thread is idle. Scoring has priority, because a search waits for it. */
export type EmbedWhenIdle = (task: EmbeddingTask) => Promise<TextVectors> | undefined;
