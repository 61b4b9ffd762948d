/** Slow searches in the log, and questions only if a setting says so. */
import { expect, it } from 'vitest';
import { searchStages } from '../../src/http/search-stages.ts';
import { serveWith } from '../lanes/serve-with-lanes.ts';
import { search } from './contract.ts';

const QUERY = 'does the quokkasaurus sleep';

it('a slow search has a line with its stages and the id of its request', async () => {
  const running = await serveWith(undefined, { slowSearchMs: 0 });
  const got = await search(running, { query: QUERY });
  expect(got.status).toBe(200);
  const id = got.headers['x-request-id'];
  await expect.poll(() => running.log.filter(({ request_id }) => request_id === id).length).toBe(2);
  const lines = running.log.filter(({ event }) => event === 'slow_search');
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      request_id: id,
      status: 200,
      key: expect.any(String),
    }),
  ]);
  const [line = {}] = lines;
  const times = searchStages.flatMap((stage) => line[`${stage}_ms`] ?? []) as number[];
  // No lane is on, and there is no reranker.
  expect(times).toHaveLength(searchStages.length - 2);
  expect(line['milliseconds']).toBeGreaterThan(0);
  expect(JSON.stringify(running.log)).not.toContain('quokkasaurus');
});

it('a search that is not slow has no such line', async () => {
  const running = await serveWith(undefined, { slowSearchMs: 3_600_000 });
  expect((await search(running, { query: QUERY })).status).toBe(200);
  await expect.poll(() => running.log.some(({ event }) => event === 'request')).toBe(true);
  expect(running.log.filter(({ event }) => event === 'slow_search')).toEqual([]);
});

it('the question is in both lines if the operator wants it', async () => {
  const running = await serveWith(undefined, { slowSearchMs: 0, logQuestions: true });
  expect((await search(running, { query: QUERY })).status).toBe(200);
  await expect.poll(() => running.log.filter(({ question }) => question === QUERY).length).toBe(2);
});
