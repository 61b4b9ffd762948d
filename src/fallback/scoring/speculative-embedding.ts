/**
 * Embeds what one lane has answered while a search waits for the others, so that less is left to do
 * when the last one has.
 */

import type { PackedUnit } from '../../store/index/dense/embeddings.ts';
import type { LaneDocument } from '../lane/lane.ts';
import { dropWithheld } from './drop-withheld.ts';

/** Vectors of titles and sentences, by their texts. */
export type TextVectors = ReadonlyMap<string, PackedUnit>;

export interface EmbeddingTask {
  documents: readonly LaneDocument[];
  /** When to stop, in milliseconds since 1970. */
  until: number;
}

/** Undefined where no thread is idle: scoring, which somebody waits for, goes first. */
export type EmbedWhenIdle = (task: EmbeddingTask) => Promise<TextVectors> | undefined;

/** Never throws. */
export type EmbedSpeculatively = (task: EmbeddingTask) => Promise<TextVectors>;

const none: TextVectors = new Map();

export function joinVectors(all: readonly TextVectors[]): TextVectors {
  return new Map(all.flatMap((vectors) => [...vectors]));
}

/** Searches that got the same answer of a lane, the very same array, share its vectors. */
export function createSpeculativeEmbedding(embed: EmbedWhenIdle): EmbedSpeculatively {
  const shared = new WeakMap<readonly LaneDocument[], Promise<TextVectors>>();
  return async ({ documents, until }) => {
    let embedding = shared.get(documents);
    if (embedding === undefined) {
      const started = embed({ documents: dropWithheld(documents), until });
      if (started === undefined) return none;
      // What fails here fails again when the documents are scored, and is reported there.
      embedding = started.catch(() => none);
      shared.set(documents, embedding);
    }
    return embedding;
  };
}
