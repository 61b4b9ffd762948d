/** The threads themselves, with those that embed: real ones, with the real model. */
import { describe, expect, it } from 'vitest';
import { LEDGER } from '../../src/database/damage/parts.ts';
import { createPool, type Pool } from '../../src/workers/pool.ts';
import { reportFromThread } from '../../src/workers/report-from-thread.ts';

const TEXTS = Array.from({ length: 40 }, (_, i) => `Sentence ${i} of a text to be embedded.`);

function startPool(threads: number): Pool<string[], Float32Array> {
  const data = { role: 'embed', model: '', device: 'cpu' } as const;
  return createPool({ data, threads, queueMax: 20 });
}

describe('a pool of threads', () => {
  it.each([1, 2, 3])('of %i finishes all accepted tasks when it closes', async (threads) => {
    const pool = startPool(threads);
    // The last of them is the longest, and the others end long before it.
    const tasks = [1, 1, 1, 2, 1, 1, 40].map((size) => pool.run(TEXTS.slice(0, size)));
    const [vectors] = await Promise.all([Promise.all(tasks), pool.close()]);
    expect(vectors.map(({ length }) => length / 384)).toEqual([1, 1, 1, 2, 1, 1, 40]);
  });

  it('starts no thread for tasks that arrive while it closes', async () => {
    const pool = startPool(1);
    const closing = pool.close();
    await expect(pool.run(TEXTS)).rejects.toThrow('at capacity');
    await closing;
    await expect(pool.run(TEXTS)).rejects.toThrow('at capacity');
    await pool.close();
  });

  it('may run code that reports damage where there is no thread, as commands do', () => {
    expect(() => reportFromThread({ ...LEDGER, reason: 'page 7' })).not.toThrow();
  });
});
