import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import type { LaneCacheLimits } from '../../../src/lanes/records/lane-cache.ts';
import { openLaneStore } from '../../../src/lanes/records/lane-store.ts';
import { rowsOf, temporaryFolder } from '../../support/accounts.ts';
import { PATIENT } from '../../support/patient.ts';

const DAY_MS = 86_400_000;
const folder = temporaryFolder();
let files = 0;

/** A cache in a file, a clock that the test moves, and a second connection to the file. */
function openCache(limits: Partial<LaneCacheLimits> = {}) {
  const path = join(folder, `${++files}.db`);
  const other = openStore({ path, lockWaitMs: 0 });
  const clock = { now: 1_000_000 };
  const all: LaneCacheLimits = {
    laneCacheAgeMsMax: DAY_MS,
    laneCacheBytesMax: 1_000,
    laneCacheEntriesMax: 10,
    laneCachePendingMax: 3,
    laneCacheRetryMs: 10,
    ...limits,
  };
  const store = openLaneStore({ path, lockWaitMs: 5_000 }, all, () => clock.now);
  const { cache } = store;
  const close = (): void => {
    store.close();
    other.close();
  };
  const counted = (): unknown[] => [
    ...rowsOf(other, 'SELECT entries, bytes FROM lane_answer_totals'),
    ...rowsOf(other, 'SELECT count(*) AS entries, total(bytes) AS bytes FROM lane_answers'),
  ];
  const stored = (): unknown[] =>
    rowsOf(other, 'SELECT key FROM lane_answers ORDER BY key').map(
      (row) => (row as { key: string }).key,
    );
  return { cache, clock, other, stored, counted, close };
}

describe('createLaneCache', () => {
  it('returns the newest entry of each key', () => {
    const { cache, close } = openCache();
    expect(cache.read('a')).toBeUndefined();
    cache.write('a', 'one');
    cache.write('a', 'two');
    expect(cache.read('a')).toBe('two');
    expect(cache.read('b')).toBeUndefined();
    close();
  });

  it('ignores expired entries, and evicts them when it writes', () => {
    const { cache, clock, stored, close } = openCache();
    cache.write('a', 'one');
    clock.now += DAY_MS - 1;
    expect(cache.read('a')).toBe('one');
    clock.now += 1;
    expect(cache.read('a')).toBeUndefined();
    expect(stored()).toEqual(['a']);
    cache.write('b', 'two');
    expect(stored()).toEqual(['b']);
    close();
  });

  it('evicts the oldest entries beyond its bytes', () => {
    const { cache, clock, stored, close } = openCache({ laneCacheBytesMax: 100 });
    for (const key of ['a', 'b', 'c', 'd']) {
      clock.now++;
      cache.write(key, 'é'.repeat(20));
    }
    expect(stored()).toEqual(['c', 'd']);
    cache.write('huge', 'x'.repeat(101));
    expect(stored()).toEqual([]);
    close();
  });

  it('evicts the oldest entries beyond their number', () => {
    const { cache, clock, stored, close } = openCache({ laneCacheEntriesMax: 2 });
    for (const key of ['a', 'b', 'c']) {
      clock.now++;
      cache.write(key, key);
    }
    expect(stored()).toEqual(['b', 'c']);
    close();
  });

  it('keeps its totals correct through inserts, updates, and deletes', () => {
    const { cache, clock, other, counted, close } = openCache({ laneCacheEntriesMax: 3 });
    const expectCounted = (entries: number, bytes: number): void => {
      expect(counted()).toEqual([
        { entries, bytes },
        { entries, bytes },
      ]);
    };
    expectCounted(0, 0);
    for (const key of ['a', 'b', 'c', 'd']) {
      clock.now++;
      cache.write(key, 'é');
    }
    expectCounted(3, 6);
    cache.write('d', 'longer');
    expectCounted(3, 10);
    clock.now += DAY_MS + 1;
    cache.write('e', 'x');
    expectCounted(1, 1);
    other.exec('DELETE FROM lane_answers');
    expectCounted(0, 0);
    close();
  });

  it('evicts a limited number of entries at once', () => {
    const { cache, clock, other, close } = openCache({ laneCacheEntriesMax: 1_000 });
    const add = other.prepare("INSERT INTO lane_answers VALUES (?, 'x', 1, ?)");
    other.exec('BEGIN');
    for (let i = 0; i < 300; i++) add.run(`old ${i}`, i);
    other.exec('COMMIT');
    clock.now += 2 * DAY_MS;
    const left = (): unknown => other.prepare('SELECT count(*) FROM lane_answers').pluck().get();
    const counts: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      cache.write(`new ${i}`, 'x');
      counts.push(left());
    }
    // From 300: each write adds one and evicts 65.
    expect(counts).toEqual([236, 172, 108, 44, 5, 6]);
    close();
  });

  it('does not wait for a lock, writes later, and drops the oldest pending entries', async () => {
    const { cache, other, stored, close } = openCache();
    other.exec('BEGIN IMMEDIATE');
    for (const key of ['a', 'b', 'c', 'd', 'e']) cache.write(key, key);
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.read(key))).toEqual([
      ...[undefined, undefined, 'c', 'd', 'e'],
    ]);
    expect(stored()).toEqual([]);
    other.exec('COMMIT');
    await vi.waitFor(() => expect(stored()).toEqual(['c', 'd', 'e']), PATIENT);
    close();
    // Five writes that waited 5 s each for the lock would take longer.
  }, 20_000);

  it('reads while another connection writes', () => {
    const { cache, other, close } = openCache();
    cache.write('a', 'one');
    other.exec('BEGIN IMMEDIATE');
    expect(cache.read('a')).toBe('one');
    other.exec('COMMIT');
    close();
  });

  it('does not throw if its table is gone', () => {
    const { cache, other, close } = openCache();
    other.exec('DROP TABLE lane_answers');
    cache.write('a', 'one');
    expect(cache.read('a')).toBeUndefined();
    close();
  });

  it('keeps its entries over a restart', () => {
    const path = join(folder, 'again.db');
    openStore({ path, lockWaitMs: 0 }).close();
    const limits = {
      laneCacheAgeMsMax: DAY_MS,
      laneCacheBytesMax: 1_000,
      laneCacheEntriesMax: 10,
      laneCachePendingMax: 3,
      laneCacheRetryMs: 10,
    };
    const first = openLaneStore({ path, lockWaitMs: 0 }, limits);
    first.cache.write('a', 'one');
    first.close();
    const second = openLaneStore({ path, lockWaitMs: 0 }, limits);
    expect(second.cache.read('a')).toBe('one');
    second.close();
  });
});
