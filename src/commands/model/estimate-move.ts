/** Estimates what it takes to embed the present index with another model. */
import { existsSync } from 'node:fs';
import type { Settings } from '../../settings/config.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';
import { EMBEDDING_SHARE } from '../index/build-estimate.ts';

export interface MoveEstimate {
  /** Titles and sentences. */
  texts: number;
  /** With all threads. */
  seconds: number;
}

/** `textsPerSecond` is the speed of one thread. Returns undefined if there is no index yet. */
export async function estimateMove(
  settings: Settings,
  textsPerSecond: number,
): Promise<MoveEstimate | undefined> {
  if (settings.indexAddress === '' && !existsSync(settings.database)) return undefined;
  const { documents, sentences } = await withOperatorIndex(settings, (index) => index.stats());
  const texts = documents + sentences;
  const seconds = texts / (textsPerSecond * settings.embedThreads) / EMBEDDING_SHARE;
  return { texts, seconds: Math.ceil(seconds) };
}
