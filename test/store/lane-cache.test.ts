import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type LaneCacheLimits, openLaneCache } from '../../src/store/lane-cache.ts';
import { openStore } from '../../src/store/open.ts';
import { rowsOf, temporaryFolder } from '../support/accounts.ts';

const DAY_MS = 86_400_000;
const folder = temporaryFolder();
let files = 0;

/** A cache in a file of its own, a clock to turn, and a second connection to the file. */
function openCache(limits: Partial<LaneCacheLimits> = {}) {
  const path = join(folder, `${++files}.db`);
  const other = openStore({ path, lockWaitMs: 0 });
  const clock = { now: 1_000_000 };
  const all: LaneCacheLimits = {
    ...{ laneCacheAgeMsMax: DAY_MS, laneCacheBytesMax: 1_000, laneCacheEntriesMax: 10 },
    ...{ laneCachePendingMax: 3, laneCacheRetryMs: 10, ...limits },
  };
  const cache = openLaneCache({ path, lockWaitMs: 5_000 }, all, () => clock.now);
  const close = (): void => {
    cache.close();
    other.close();
  };
  const stored = (): unknown[] =>
    rowsOf(other, 'SELECT key FROM lane_answers ORDER BY key').map(
      (row) => (row as { key: string }).key,
    );
  return { cache, clock, other, stored, close };
}

describe('the cache of lanes', () => {
  it('has what was written, the newest of each key', () => {
    const { cache, close } = openCache();
    expect(cache.read('a')).toBeUndefined();
    cache.write('a', 'one');
    cache.write('a', 'two');
    expect(cache.read('a')).toBe('two');
    expect(cache.read('b')).toBeUndefined();
    close();
  });

  it('forgets after its age, and clears up when it writes', () => {
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

  it('keeps no more bytes than it may; the oldest go', () => {
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

  it('keeps no more answers than it may', () => {
    const { cache, clock, stored, close } = openCache({ laneCacheEntriesMax: 2 });
    for (const key of ['a', 'b', 'c']) {
      clock.now++;
      cache.write(key, key);
    }
    expect(stored()).toEqual(['b', 'c']);
    close();
  });

  it('waits for no lock: answers are written later, the oldest of too many never', async () => {
    const { cache, other, stored, close } = openCache();
    other.exec('BEGIN IMMEDIATE');
    for (const key of ['a', 'b', 'c', 'd', 'e']) cache.write(key, key);
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.read(key))).toEqual([
      ...[undefined, undefined, 'c', 'd', 'e'],
    ]);
    expect(stored()).toEqual([]);
    other.exec('COMMIT');
    await vi.waitFor(() => expect(stored()).toEqual(['c', 'd', 'e']));
    close();
    // Five writes that wait for the lock, 5 s each as the connection is told, would take longer.
  }, 20_000);

  it('reads while another connection writes', () => {
    const { cache, other, close } = openCache();
    cache.write('a', 'one');
    other.exec('BEGIN IMMEDIATE');
    expect(cache.read('a')).toBe('one');
    other.exec('COMMIT');
    close();
  });

  it('is no reason to fail where its table is gone', () => {
    const { cache, other, close } = openCache();
    other.exec('DROP TABLE lane_answers');
    cache.write('a', 'one');
    expect(cache.read('a')).toBeUndefined();
    close();
  });

  it('is still there after it was closed and opened again', () => {
    const path = join(folder, 'again.db');
    const limits = {
      ...{ laneCacheAgeMsMax: DAY_MS, laneCacheBytesMax: 1_000, laneCacheEntriesMax: 10 },
      ...{ laneCachePendingMax: 3, laneCacheRetryMs: 10 },
    };
    const first = openLaneCache({ path, lockWaitMs: 0 }, limits);
    first.write('a', 'one');
    first.close();
    const second = openLaneCache({ path, lockWaitMs: 0 }, limits);
    expect(second.read('a')).toBe('one');
    second.close();
  });
});
