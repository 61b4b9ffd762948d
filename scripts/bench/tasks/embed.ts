/** Embedding and nothing else: the yardsticks E and L, and what a build is compared with. */
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { createEmbedPool } from '../../../src/commands/index/embed-pool.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { createEmbedder } from '../../../src/text/embed/embedder.ts';
import { deviceNamed } from '../../../src/text/embed/inference-device.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import { task } from '../../measure/processes.ts';

/** L is the rate of two workers on any machine. */
const WORKERS = 2;
/** Twice the workers, so that none waits for its next query. */
const IN_FLIGHT = 2 * WORKERS;

/** Measures E: the milliseconds of each query, one after another on one thread. */
export const embedOneByOne = task(
  'embedOneByOne',
  async ({ queries, warmUp }: { queries: string[]; warmUp: string[] }): Promise<number[]> => {
    const embedder = await createEmbedder(loadModel(readSettings().model).queryEncoder);
    for (const query of warmUp) await embedder.embedQuery(query);
    const milliseconds: number[] = [];
    for (const query of queries) {
      const started = performance.now();
      await embedder.embedQuery(query);
      milliseconds.push(performance.now() - started);
    }
    return milliseconds;
  },
);

/** Measures L: queries per second, each a task of its own. */
export const embedInWorkers = task(
  'embedInWorkers',
  async (given: { queries: string[]; warmUp: string[]; seconds: number }): Promise<number> => {
    const { queries, warmUp, seconds } = given;
    const { model } = readSettings();
    const pool = createEmbedPool({ model, device: 'cpu', threads: WORKERS, queueMax: IN_FLIGHT });
    try {
      for (let next = 0; next < warmUp.length; next += WORKERS) {
        await Promise.all(warmUp.slice(next, next + WORKERS).map((query) => pool.embed([query])));
      }
      let next = 0;
      let done = 0;
      const started = performance.now();
      const deadline = started + seconds * 1000;
      let lastDone = started;
      await inParallel(IN_FLIGHT, async () => {
        while (performance.now() < deadline) {
          await pool.embed([queries[next++ % queries.length] as string]);
          done++;
          lastDone = performance.now();
        }
      });
      return done / ((lastDone - started) / 1000);
    } finally {
      await pool.close();
    }
  },
);

/**
 * Embeds prepared batches as a build does, with the same number of threads and of batches in
 * flight. The caller times the whole process, as it times the build.
 */
export const embedBatches = task('embedBatches', async ({ path }: { path: string }) => {
  // Low priority as in `index add`, because on a busy machine the two would differ otherwise.
  setPriority(constants.priority.PRIORITY_LOW);
  const { model, embedThreads, embedDevice } = readSettings();
  const device = deviceNamed(embedDevice);
  const batches = JSON.parse(readFileSync(path, 'utf8')) as string[][];
  const inFlight = embedThreads + 2;
  const pool = createEmbedPool({ model, device, threads: embedThreads, queueMax: inFlight });
  let next = 0;
  try {
    await inParallel(inFlight, async () => {
      for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
        await pool.embed(batch);
      }
    });
  } finally {
    await pool.close();
  }
});

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}
