/** How much disk and time a build will take, for `index add --dry-run`. */
import type { Settings } from '../config.ts';
import { deviceNamed } from '../embed/device.ts';
import { createEmbedPool } from '../workers/embed-pool.ts';

/** Of an index of 161,976 papers: 944 MB for 1,337,483 titles and sentences. See README, Measured. */
const BYTES_PER_TEXT = 706;

/** Of a build's time, what embedding takes where nothing else is to do. See README, Measured. */
const EMBEDDING_SHARE = 0.93;

/** Texts that the speed is measured with: seconds of work. */
const TEXTS_MEASURED_MAX = 512;

const TEXTS_PER_BATCH = 16;

export interface BuildEstimate {
  /** Titles and sentences to embed. */
  texts: number;
  diskBytes: number;
  seconds: number;
  /** Measured on this machine; 0 where there was nothing to measure. */
  textsPerSecond: number;
  /** Of the texts, those that it was measured with. */
  textsMeasured: number;
}

export interface TextSample {
  add(text: string): void;
  texts(): string[];
}

/** Texts at even distances, whatever their number: every second one is dropped when it is full. */
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

/** `readSeconds`: what reading the files took. Embeds the sample. */
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
  const { model, embedThreads: threads } = settings;
  const batches: string[][] = [];
  for (let at = 0; at < sample.length; at += TEXTS_PER_BATCH) {
    batches.push(sample.slice(at, at + TEXTS_PER_BATCH));
  }
  const queueMax = batches.length + threads;
  const pool = createEmbedPool({
    model,
    device: deviceNamed(settings.embedDevice),
    threads,
    queueMax,
  });
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
