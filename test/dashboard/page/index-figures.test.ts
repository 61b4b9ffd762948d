/** Figures of the front page with an index that is counted on command. */
import { describe, expect, it } from 'vitest';
import {
  createIndexFigures,
  type IndexFiguresOptions,
} from '../../../src/dashboard/page/index-figures.ts';
import type { LocalAnswer } from '../../../src/search/threads/search-worker.ts';

const SUMMARY = {
  documents: 3,
  sentences: 9,
  years: undefined,
  yearCounts: [],
  languages: [],
  fields: [],
  sources: [],
  updatedAt: 1,
};
const FOUND = { d: '10.5555/tides', t: 'Tides', y: 1998, a: ['A. Berg'], s: 0.7, q: 'They rise.' };

function answerWith(c: number, results: object[]): LocalAnswer {
  const json = JSON.stringify({ n: results.length, c, results });
  return { json, c, indexVersion: 'v1', times: {} as LocalAnswer['times'] };
}

/** A reader with a clock and an index of the test's own. */
function createWorld(overrides: Partial<IndexFiguresOptions> = {}) {
  const world = { counts: 0, failures: 0, version: 'v1', time: 0 };
  const { read } = createIndexFigures({
    async summarizeIndex() {
      world.counts++;
      return SUMMARY;
    },
    search: async () => answerWith(0.9, [FOUND]),
    indexVersion: async () => world.version,
    now: () => world.time,
    question: 'why do tides rise',
    isClose: (c) => c > 0.5,
    everyMs: 100,
    waitMs: 60_000,
    onFailure: () => {
      world.failures++;
    },
    ...overrides,
  });
  return { world, read };
}

describe('figures about the index', () => {
  it('are counted once for any number of visitors', async () => {
    const { world, read } = createWorld();
    const all = await Promise.all([read(), read(), read()]);
    expect(all).toEqual(Array(3).fill(all[0]));
    expect(all[0]).toMatchObject({
      summary: SUMMARY,
      example: { question: 'why do tides rise', citation: FOUND, isFromIndex: true },
    });
    world.time = 1_000_000;
    await read();
    expect(world.counts).toBe(1);
  });

  it('are counted again after a change of the index, but not more often than allowed', async () => {
    const { world, read } = createWorld();
    await read();
    world.version = 'v2';
    world.time = 99;
    await read();
    expect(world.counts).toBe(1);
    world.time = 100;
    await read();
    expect(world.counts).toBe(2);
  });

  it('do not keep a visitor waiting, and are there for the next one', async () => {
    let resolve: (summary: typeof SUMMARY) => void = () => {};
    const counting = new Promise<typeof SUMMARY>((resolveCounting) => {
      resolve = resolveCounting;
    });
    const { read } = createWorld({ summarizeIndex: () => counting, waitMs: 1 });
    expect(await read()).toBeUndefined();
    resolve(SUMMARY);
    await expect.poll(read).toMatchObject({ summary: SUMMARY });
  });

  it('are missing after a failure, which is reported once and not repeated at once', async () => {
    let isBroken = true;
    const { world, read } = createWorld({
      async summarizeIndex() {
        if (isBroken) throw new Error('no such table');
        return SUMMARY;
      },
    });
    expect(await read()).toBeUndefined();
    expect(await read()).toBeUndefined();
    expect(world.failures).toBe(1);
    isBroken = false;
    world.time = 100;
    expect(await read()).toMatchObject({ summary: SUMMARY });
  });

  it.each([
    ['is not close', answerWith(0.4, [FOUND])],
    ['does not exist', answerWith(0.9, [])],
  ])('quote the sample if an answer of the index %s', async (_name, answer) => {
    const { read } = createWorld({ search: async () => answer });
    const { example } = (await read()) ?? {};
    expect(example).toMatchObject({ question: 'does sleep help memory', isFromIndex: false });
    expect(example?.citation.q).toMatch(/^Sleep after learning improves memory/);
  });

  it('quote the sample if the index is empty, without a search', async () => {
    const { read } = createWorld({
      summarizeIndex: async () => ({ ...SUMMARY, documents: 0 }),
      search: () => Promise.reject(new Error('an empty index is not searched')),
    });
    expect((await read())?.example.isFromIndex).toBe(false);
  });
});
