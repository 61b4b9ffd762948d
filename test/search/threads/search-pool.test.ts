/** Searches in real threads, with the real model and the sample: several at a time. */
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  createSearchPool,
  type SearchPoolOptions,
} from '../../../src/search/threads/search-pool.ts';
import type { LocalAnswer } from '../../../src/search/threads/search-worker.ts';
import { readSettings } from '../../../src/settings/config.ts';
import type { SearchRequest } from '../../../src/types.ts';
import type { Pool } from '../../../src/workers/pool.ts';

type SearchPool = Pool<SearchRequest, LocalAnswer>;

const SUBJECTS = ['sleep', 'carbon in soil', 'barnacles', 'sorted keys', 'cash', 'cave paintings'];
const VERBS = ['what changes', 'who measured', 'how do we know of', 'why care about'];
const QUERIES = VERBS.flatMap((verb) => SUBJECTS.map((subject) => `${verb} ${subject}`));
/** 40 searches, some of the same question. */
const REQUESTS: SearchRequest[] = Array.from({ length: 40 }, (_, i) => ({
  query: QUERIES[i % QUERIES.length] as string,
  limit: 1 + (i % 10),
  withAbstract: i % 3 === 0,
}));
/** No list is as long, which the validation of requests would have found out. */
const BAD: SearchRequest = { query: 'sleep', limit: Number.MAX_SAFE_INTEGER, withAbstract: false };

function startPool(options: Partial<SearchPoolOptions> = {}, path = inject('sampleIndex')) {
  const data = { store: { path, lockWaitMs: 5000 }, model: '', limits: readSettings({}, {}) };
  return createSearchPool(data, { threads: 2, queueMax: 100, batchMax: 8, ...options });
}

/** The same that ends with the test. */
function startOwnPool(options: Partial<SearchPoolOptions> = {}, path?: string): SearchPool {
  const pool = startPool(options, path);
  onTestFinished(() => pool.close());
  return pool;
}

/** What a search found, without what it took. */
const withoutTimes = ({ times: _, ...rest }: LocalAnswer): Omit<LocalAnswer, 'times'> => rest;
const runAll = async (pool: SearchPool): Promise<Omit<LocalAnswer, 'times'>[]> =>
  (await Promise.all(REQUESTS.map(pool.run))).map(withoutTimes);

describe('a pool of two threads', () => {
  let pool: SearchPool;
  let oneByOne: Omit<LocalAnswer, 'times'>[];
  beforeAll(async () => {
    pool = startPool();
    oneByOne = [];
    for (const request of REQUESTS) oneByOne.push(withoutTimes(await pool.run(request)));
  });
  afterAll(() => pool.close());

  it('answers 40 concurrent searches as it does one by one', async () => {
    expect(new Set(oneByOne.map(({ json }) => json)).size).toBe(REQUESTS.length);
    for (const { json, c } of oneByOne) expect(JSON.parse(json)).toMatchObject({ c });
    expect(await runAll(pool)).toEqual(oneByOne);
  });

  it('rejects only the invalid searches of a batch', async () => {
    const isBad = (index: number): boolean => index % 13 === 5;
    const outcomes = await Promise.allSettled(
      REQUESTS.map((request, index) => pool.run(isBad(index) ? BAD : request)),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (isBad(index)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Error) });
      } else {
        expect(outcome).toMatchObject({ status: 'fulfilled', value: oneByOne[index] });
      }
    }
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(await pool.run(REQUESTS[0] as SearchRequest)).toMatchObject(oneByOne[0] ?? {});
  });

  it.each([1, 3])('gives the same answers in batches of at most %i', async (batchMax) => {
    const other = startOwnPool({ batchMax });
    expect(await runAll(other)).toEqual(oneByOne);
  });
});

it.each([
  [1, 'one by one'],
  [8, 'in batches'],
])('a search says what each step took: at most %i at a time', async (batchMax) => {
  const pool = startOwnPool({ batchMax, threads: 1 });
  // The first task also loads the model.
  await pool.run(REQUESTS[0] as SearchRequest);
  const started = performance.now();
  const found = await Promise.all(REQUESTS.map(pool.run));
  const passed = performance.now() - started;
  const steps = found.flatMap(({ times }) => Object.entries(times));
  for (const [step, milliseconds] of steps) expect(milliseconds, step).toBeGreaterThan(0);
  expect(Object.keys(found[0]?.times ?? {})).toEqual(['embed', 'words', 'dense', 'rank', 'cite']);
  // One thread does one thing at a time, so the steps of all searches fit into the time they took.
  const sum = steps.reduce((total, [, milliseconds]) => total + milliseconds, 0);
  expect(sum).toBeLessThan(passed);
});

describe('a pool that closes', () => {
  it('answers every accepted search', async () => {
    const pool = startPool();
    const answers = Promise.all(REQUESTS.map(pool.run));
    const [closed] = await Promise.all([answers, pool.close()]);
    expect(closed.map(({ json }) => JSON.parse(json).n)).toEqual(REQUESTS.map((one) => one.limit));
  });

  it('rejects later searches, and may be closed again', async () => {
    const pool = startPool();
    const taken = pool.run(REQUESTS[0] as SearchRequest);
    const closing = pool.close();
    await expect(pool.run(REQUESTS[1] as SearchRequest)).rejects.toThrow('at capacity');
    await closing;
    expect((await taken).c).toBeGreaterThan(0);
    await expect(pool.run(REQUESTS[1] as SearchRequest)).rejects.toThrow('at capacity');
    await pool.close();
  });
});

describe('a pool without an index', () => {
  it('rejects each search with an expected error', async () => {
    const pool = startOwnPool({}, '/nowhere/verbatim.db');
    const outcomes = await Promise.allSettled(REQUESTS.map(pool.run));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: expect.any(String), message: expect.stringContaining('verbatim.db') },
      });
    }
  });
});
