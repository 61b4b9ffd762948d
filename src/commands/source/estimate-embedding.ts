/** Estimates how long it takes to embed what a source has, from the speed of this machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePath } from '../../settings/bundle.ts';
import type { Settings } from '../../settings/config.ts';
import { splitSentences } from '../../text/split-sentences.ts';
import { type BuildEstimate, estimateBuild } from '../index/build-estimate.ts';

/** Measured: 161,976 papers have 1,337,483 titles and sentences. */
const TEXTS_PER_PAPER = 8.3;
/** Texts that are embedded to measure the speed. */
const TEXTS_MEASURED = 128;

/** Takes some seconds. */
export function estimateEmbedding(records: number, settings: Settings): Promise<BuildEstimate> {
  const lines = readFileSync(join(samplePath(), 'astronomy.jsonl'), 'utf8').trim().split('\n');
  const sample = lines
    .map((line) => JSON.parse(line) as { abstract: string })
    .flatMap(({ abstract }) =>
      splitSentences(abstract).map(({ start, end }) => abstract.slice(start, end)),
    )
    .slice(0, TEXTS_MEASURED);
  const texts = Math.round(records * TEXTS_PER_PAPER);
  return estimateBuild({ texts, readSeconds: 0, sample }, settings);
}
