/** Runs of a source that are killed at any place lose nothing. */
import { expect, it, onTestFinished } from 'vitest';
import { readIndex } from '../ingest/index-files.ts';
import { newSourceWorld } from './source-world.ts';
import { startArxivOai } from './stubs/arxiv-oai-stub.ts';

const PAPERS = 12;
const KILLS = 10;

it('makes the index of one clean run, whatever was killed', async () => {
  const records = Array.from({ length: PAPERS }, (_, number) => ({
    id: `2401.${String(number).padStart(5, '0')}`,
    title: `A study of tides on the coast of island number ${number}`,
    abstract: `We measured the tide. It rises by ${number} meters.`,
    changed: '2024-02-01',
  }));
  const stub = await startArxivOai(records, { perPage: 1 });
  onTestFinished(() => stub.close());
  const limits = { sourceLeaseMs: 1 };
  const [clean, killed] = [await newSourceWorld(limits), await newSourceWorld(limits)];
  const add = ['add', 'arxiv', '--set', 'cs', '--url', `${stub.url}/oai`, '--yes'];
  await clean.run(add);
  await killed.run([...add, '--later']);
  let requests = 0;
  for (let count = 0; count < KILLS; count++) {
    const from = stub.requests.length;
    const { kill, ended } = killed.startUpdate();
    // The first response arrives; then at once, or while the page is indexed.
    await expect.poll(() => stub.requests.length, { interval: 2 }).toBeGreaterThan(from);
    await new Promise((resolve) => setTimeout(resolve, 40 * count));
    kill();
    expect(await ended).toBeNull();
    requests += stub.requests.length - from;
  }
  await expect.poll(async () => (await killed.source()).isRunning).toBe(false);
  const from = stub.requests.length;
  expect((await killed.run(['update'])).stdout).toContain(`done, ${PAPERS} papers`);
  requests += stub.requests.length - from;
  // A killed run asks at most once more for its page.
  expect(requests).toBeLessThanOrEqual(PAPERS + KILLS);
  expect(readIndex(killed.database)).toEqual(readIndex(clean.database));
  expect(killed.papers()).toEqual(clean.papers());
});
