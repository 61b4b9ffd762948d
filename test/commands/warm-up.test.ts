import { describe, expect, it } from 'vitest';
import { startWarmUp, type WarmUpOptions } from '../../src/commands/warm-up.ts';
import { VerbatimError } from '../../src/errors.ts';
import { createTitleReader } from '../../src/index/documents/documents.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import type { SearchRequest } from '../../src/types.ts';
import { addDocuments, memoryIndex } from '../index/memory-index.ts';
import { copySampleIndex, removeDatabase, startService } from '../support/service.ts';

/** A pool that counts what is under way, and a log that is kept. */
function createFake(overrides: Partial<WarmUpOptions> = {}) {
  const queries: string[] = [];
  const events: [event: string, searches: unknown][] = [];
  const atOnce: number[] = [];
  let underWay = 0;
  const options: WarmUpOptions = {
    searches: 7,
    threads: 3,
    isIdle: () => true,
    titleAt: async (share) => `title at ${share.toFixed(2)}`,
    async search({ query }: SearchRequest) {
      queries.push(query);
      atOnce.push(++underWay);
      await Promise.resolve();
      underWay--;
    },
    log: {
      info: (event, fields) => events.push([event, fields?.['searches']]),
      warn: (event) => events.push([event, undefined]),
      error: (event) => events.push([event, undefined]),
    },
    ...overrides,
  };
  return { options, queries, events, atOnce };
}

/** Lets the background go on until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the warm-up of an index', () => {
  it('searches for titles from all parts of the index, one for each thread at a time', async () => {
    const { options, queries, events, atOnce } = createFake();
    startWarmUp(options);
    await until(() => events.length > 0);
    const shares = ['0.00', '0.14', '0.29', '0.43', '0.57', '0.71', '0.86'];
    expect(queries).toEqual(shares.map((share) => `title at ${share}`));
    expect(Math.max(...atOnce)).toBe(3);
    expect(events).toEqual([['warmed_up', 7]]);
  });

  it.each<[what: string, overrides: Partial<WarmUpOptions>]>([
    ['none are wanted', { searches: 0 }],
    ['the index is empty', { titleAt: async () => undefined }],
  ])('ends at once if %s', async (_, overrides) => {
    const { options, queries, events } = createFake(overrides);
    startWarmUp(options);
    await until(() => events.length > 0);
    expect(queries).toEqual([]);
    expect(events).toEqual([['warmed_up', 0]]);
  });

  it('waits while customers search', async () => {
    let isIdle = false;
    const { options, queries, events } = createFake({ isIdle: () => isIdle });
    startWarmUp(options);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(queries).toEqual([]);
    isIdle = true;
    await until(() => events.length > 0);
    expect(queries).toHaveLength(7);
  });

  it('ends with the current round when it is stopped, without a log line', async () => {
    let finish = (): void => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const asked: string[] = [];
    const { options, events } = createFake({
      search: ({ query }) => {
        asked.push(query);
        return first;
      },
    });
    const warmUp = startWarmUp(options);
    let hasEnded = false;
    const stopping = warmUp.stop().then(() => {
      hasEnded = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasEnded).toBe(false);
    finish();
    await stopping;
    expect(asked).toHaveLength(3);
    expect(events).toEqual([]);
  });

  it('ends at the first failure, which is logged', async () => {
    const { options, events } = createFake({ search: () => Promise.reject(new Error('broken')) });
    startWarmUp(options);
    await until(() => events.length > 0);
    expect(events).toEqual([['warm_up_failed', undefined]]);
  });
});

describe('the warm-up of an index whose database is away', () => {
  it('ends, and is not logged as a defect', async () => {
    const away = new VerbatimError('degraded', 'PostgreSQL: the connection broke');
    const { options, events } = createFake({ search: () => Promise.reject(away) });
    startWarmUp(options);
    await until(() => events.length > 0);
    expect(events).toEqual([['warm_up_ended', undefined]]);
  });
});

describe('the titles of an index', () => {
  it('come from all parts of the index, even after removals', () => {
    const db = memoryIndex();
    const titleAt = createTitleReader(db);
    expect(titleAt(0)).toBeUndefined();
    addDocuments(
      db,
      Array.from({ length: 10 }, (_, i) => ({ id: `${i}`, title: `Title ${i}` })),
    );
    expect([0, 0.5, 0.99].map(titleAt)).toEqual(['Title 0', 'Title 5', 'Title 9']);
    createIndexWriter(db).remove(['5']);
    expect(titleAt(0.5)).toBe('Title 6');
  });
});

describe('a server', () => {
  it('warms up after it listens, and can stop during the warm-up', async () => {
    const database = await copySampleIndex();
    const service = await startService(database, { VERBATIM_WARM_UP_SEARCHES: '3' });
    await until(() => service.log.some(({ event }) => event === 'warmed_up'));
    expect(service.log).toContainEqual(
      expect.objectContaining({ event: 'warmed_up', searches: 3 }),
    );
    expect(await service.end()).toBe(0);
    const long = await startService(database, { VERBATIM_WARM_UP_SEARCHES: '1000000' });
    expect(await long.end()).toBe(0);
    expect(long.log.map(({ event }) => event)).not.toContain('warm_up_failed');
    await removeDatabase(database);
  });
});
