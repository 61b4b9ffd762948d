/**
 * Speculative embedding: while a search waits for its other lanes, idle threads embed what the first
 * lanes returned. Less is left to do when the last lane responds.
 */
import type { LaneDocument } from '../lane/lane.ts';
import type { EmbeddingTask, EmbedWhenIdle, TextVectors } from './scoring-task.ts';
import { dropWithheld } from './select-documents.ts';

/** Never throws. */
export type EmbedSpeculatively = (task: EmbeddingTask) => Promise<TextVectors>;

const none: TextVectors = new Map();

export function joinVectors(all: readonly TextVectors[]): TextVectors {
  return new Map(all.flatMap((vectors) => [...vectors]));
}

/** Searches that received the same array of documents share its vectors. */
export function createSpeculativeEmbedding(embed: EmbedWhenIdle): EmbedSpeculatively {
  const shared = new WeakMap<readonly LaneDocument[], Promise<TextVectors>>();
  return async ({ documents, until }) => {
    let embedding = shared.get(documents);
    if (embedding === undefined) {
      const started = embed({ documents: dropWithheld(documents), until });
      if (started === undefined) return none;
      // An error comes up again when the documents are scored, and is reported there.
      embedding = started.catch(() => none);
      shared.set(documents, embedding);
    }
    return embedding;
  };
}
