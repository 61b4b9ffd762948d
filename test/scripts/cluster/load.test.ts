/** The clients of the trial. */
import { describe, expect, it } from 'vitest';
import { startLoad } from '../../../scripts/cluster/load.ts';
import { freePort } from '../../../scripts/measure/free-port.ts';
import { createRandom } from '../../../scripts/measure/random.ts';

describe('clients that get no answer', () => {
  it('note each attempt, and end when they are abandoned', async () => {
    const load = startLoad({
      port: await freePort(),
      clients: 4,
      customers: [{ id: 1, secret: 'none' }],
      questions: ['anything'],
      random: createRandom('load'),
    });
    await expect.poll(() => load.exchanges.length).toBeGreaterThan(8);
    load.abandon();
    await load.stop();
    expect(new Set(load.exchanges.map(({ status }) => status))).toEqual(new Set([0]));
  });
});
