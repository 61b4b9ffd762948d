/** Estimates the disk and the time of a build, for `index add --dry-run`. */
import type { Settings } from '../../settings/config.ts';
import { openEmbedPool } from './embed-pool.ts';

/** Measured: an index of 161,699 papers takes 1,001 MB for 1,336,277 titles and sentences. */
const BYTES_PER_TEXT = 749;

/** Share of embedding in the time of a build, measured on the same index. */
export const EMBEDDING_SHARE = 0.93;

/** Texts used to measure the speed: a few seconds of work. */
const TEXTS_MEASURED_MAX = 512;

const TEXTS_PER_BATCH = 16;

export interface BuildEstimate {
  /** Titles and sentences to embed. */
  texts: number;
  diskBytes: number;
  seconds: number;
  /** Measured on this machine; 0 without texts. */
  textsPerSecond: number;
  /** Number of texts used for the measurement. */
  textsMeasured: number;
}

export interface TextSample {
  add(text: string): void;
  texts(): string[];
}

/** Collects evenly spaced texts of a stream. When it is full, it drops every second one. */
export function createTextSample(most = TEXTS_MEASURED_MAX): TextSample {
  let kept: string[] = [];
  let distance = 1;
  let seen = 0;
  return {
    add(text) {
      if (seen++ % distance !== 0) return;
      kept.push(text);
      if (kept.length < 2 * most) return;
      kept = kept.filter((_, index) => index % 2 === 0);
      distance *= 2;
    },
    texts: () => kept.slice(0, most),
  };
}

/** Embeds the sample to measure the speed. `readSeconds`: the time that reading took. */
export async function estimateBuild(
  work: { texts: number; readSeconds: number; sample: readonly string[] },
  settings: Settings,
): Promise<BuildEstimate> {
  const { texts, readSeconds, sample } = work;
  const textsPerSecond = texts === 0 ? 0 : await measureEmbedding(sample, settings);
  const embedSeconds = texts === 0 ? 0 : texts / textsPerSecond / EMBEDDING_SHARE;
  return {
    texts,
    diskBytes: texts * BYTES_PER_TEXT,
    textsMeasured: sample.length,
    seconds: Math.ceil(readSeconds + embedSeconds),
    textsPerSecond: Math.round(textsPerSecond * 10) / 10,
  };
}

async function measureEmbedding(sample: readonly string[], settings: Settings): Promise<number> {
  const threads = settings.embedThreads;
  const batches: string[][] = [];
  for (let at = 0; at < sample.length; at += TEXTS_PER_BATCH) {
    batches.push(sample.slice(at, at + TEXTS_PER_BATCH));
  }
  const pool = openEmbedPool(settings, batches.length + threads);
  try {
    // Each thread loads the model with its first batch.
    const first = batches[0] ?? [];
    await Promise.all(Array.from({ length: threads }, () => pool.embed(first)));
    const started = performance.now();
    await Promise.all(batches.map((batch) => pool.embed(batch)));
    return sample.length / Math.max((performance.now() - started) / 1000, 0.001);
  } finally {
    await pool.close();
  }
}
