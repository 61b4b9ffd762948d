/** What the lanes of several nodes share on one PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { databaseOptions } from '../../../src/database/postgres/database-options.ts';
import { openMigrated } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import type { Database } from '../../../src/database/postgres/postgres-database.ts';
import type { Lanes } from '../../../src/lanes/lane/lane.ts';
import type { LaneStore } from '../../../src/lanes/records/lane-store.ts';
import { openSharedLaneStore } from '../../../src/lanes/records/postgres/postgres-lane-store.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { type Cluster, startCluster } from '../../accounts/postgres/postgres-cluster.ts';
import { feedOf, paperEntry } from '../../support/lanes/arxiv-stub.ts';
import { askOne, onlyArxiv, openLanes, outcomeOf } from '../../support/lanes/ask-lanes.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';

const DAY_MS = 86_400_000;
const NOW = 20_000 * DAY_MS + 1_000;
const HOLD_MS = 600_000;

let cluster: Cluster;
let database: Database;

const limits = {
  laneCacheAgeMsMax: 1_000,
  laneCacheBytesMax: 100_000,
  laneCacheEntriesMax: 10,
  laneCachePendingMax: 1_000,
  laneCacheRetryMs: 20,
  sharedLanesWaitMs: 60_000,
  // Only leases look, so that nothing here depends on when the background does.
  sharedLanesCheckMs: 1_000_000,
};

const options = () => databaseOptions(readSettings({ accountsAddress: cluster.url }, {}));

/** A node that closes after the test. */
async function openNode(changed: Partial<typeof limits> = {}, now = () => NOW) {
  const store = await openSharedLaneStore(options(), { ...limits, ...changed }, now);
  onTestFinished(async () => void (await store.close()));
  return store;
}

beforeAll(async () => {
  cluster = startCluster();
  database = await openMigrated(options());
});

beforeEach(async () => {
  await database.query('TRUNCATE lane_turns, lane_pauses, lane_requests, lane_answers');
});

afterAll(async () => {
  await database.close();
  cluster.stop();
});

describe('a lease', () => {
  it('belongs to one node at a time, until its gap is over', async () => {
    const [a, b] = [(await openNode()).records, (await openNode()).records];
    expect(await a.acquireLease('arxiv', HOLD_MS)).toBe(0);
    expect(await b.acquireLease('arxiv', HOLD_MS)).toBeGreaterThan(HOLD_MS / 2);
    expect(b.leaseWaitMs('arxiv')).toBeGreaterThan(HOLD_MS / 2);
    expect(a.leaseWaitMs('arxiv')).toBe(0);
    expect(await b.acquireLease('semantic_scholar', HOLD_MS)).toBe(0);
    a.releaseLease('arxiv', HOLD_MS / 2);
    await expect.poll(() => b.acquireLease('arxiv', HOLD_MS)).toBeLessThan(HOLD_MS / 2 + 1);
    expect(await a.acquireLease('arxiv', HOLD_MS)).toBe(0);
    a.releaseLease('arxiv', 0);
    await expect.poll(() => b.acquireLease('arxiv', HOLD_MS)).toBe(0);
  });

  it('is free if it was written before the clock was set back', async () => {
    const [a, b] = [(await openNode()).records, (await openNode()).records];
    await a.acquireLease('arxiv', 2 * 3_600_000);
    expect(await b.acquireLease('arxiv', HOLD_MS)).toBe(0);
  });

  it('is granted to one of many nodes at once', async () => {
    const nodes = await Promise.all(Array.from({ length: 6 }, () => openNode()));
    const waits = await Promise.all(
      nodes.map(({ records }) => records.acquireLease('arxiv', HOLD_MS)),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(1);
  });
});

describe('a lease that is acquired', () => {
  it('brings the backoffs and the counts of all nodes', async () => {
    const [a, b] = [(await openNode()).records, (await openNode()).records];
    const backoff = { reason: 'rate_limited', until: NOW + 5_000, consecutive: 2 };
    await a.acquireLease('arxiv', HOLD_MS);
    a.countRequest('arxiv');
    a.countRequest('arxiv');
    a.setBackoff('arxiv x', backoff);
    expect(a.requestsToday('arxiv')).toBe(2);
    a.releaseLease('arxiv', 0);
    await expect.poll(() => b.acquireLease('arxiv', HOLD_MS)).toBe(0);
    expect(b.backoffOf('arxiv x')).toEqual(backoff);
    expect(b.requestsToday('arxiv')).toBe(2);
    b.countRequest('arxiv');
    b.clearBackoff('arxiv x');
    expect(b.backoffOf('arxiv x')).toBeUndefined();
    b.releaseLease('arxiv', 0);
    await expect.poll(() => a.acquireLease('arxiv', HOLD_MS)).toBe(0);
    expect(a.requestsToday('arxiv')).toBe(3);
    expect(a.backoffOf('arxiv x')).toBeUndefined();
  });

  it('keeps the longer of two backoffs, and clears only the one that ended', async () => {
    const [a, b] = [(await openNode()).records, (await openNode()).records];
    const long = { reason: 'exhausted', until: NOW + 60_000, consecutive: 0 };
    a.setBackoff('arxiv x', { ...long, until: NOW + 1_000 });
    await a.acquireLease('arxiv', HOLD_MS);
    b.setBackoff('arxiv x', long);
    await b.acquireLease('semantic_scholar', HOLD_MS);
    a.clearBackoff('arxiv x');
    await a.acquireLease('arxiv', HOLD_MS);
    expect(a.backoffOf('arxiv x')).toEqual(long);
    a.setBackoff('arxiv x', { ...long, until: NOW + 2_000 });
    await a.acquireLease('arxiv', HOLD_MS);
    expect(a.backoffOf('arxiv x')).toEqual(long);
  });

  it('counts each day anew', async () => {
    const [a, tomorrow] = [
      (await openNode()).records,
      (await openNode({}, () => NOW + DAY_MS)).records,
    ];
    a.countRequest('arxiv');
    await a.acquireLease('arxiv', HOLD_MS);
    expect(a.requestsToday('arxiv')).toBe(1);
    await tomorrow.acquireLease('crossref', HOLD_MS);
    expect(tomorrow.requestsToday('arxiv')).toBe(0);
    tomorrow.countRequest('arxiv');
    await tomorrow.acquireLease('crossref', HOLD_MS);
    expect(tomorrow.requestsToday('arxiv')).toBe(1);
  });
});

describe('the cache', () => {
  it('is one for all nodes, and forgets what is too old', async () => {
    let now = NOW;
    const [a, b] = [await openNode(), await openNode({}, () => now)];
    expect(await b.cache.read('k')).toBeUndefined();
    a.cache.write('k', '["ä"]');
    await expect.poll(() => b.cache.read('k')).toBe('["ä"]');
    now = NOW + limits.laneCacheAgeMsMax;
    expect(await b.cache.read('k')).toBeUndefined();
  });

  it('keeps the newest within its bounds', async () => {
    let now = NOW;
    const { cache } = await openNode({ laneCacheAgeMsMax: 1_000_000 }, () => now);
    for (let i = 0; i < 64; i++) {
      now++;
      cache.write(`k${i}`, 'x');
      await expect.poll(() => cache.read(`k${i}`)).toBe('x');
    }
    const count = async () => (await database.query('SELECT 1 FROM lane_answers')).length;
    await expect.poll(count).toBe(limits.laneCacheEntriesMax);
    expect(await cache.read('k63')).toBe('x');
  });
});

describe('without the database', () => {
  it('no lease is acquired, nothing is cached, and nothing throws', async () => {
    const { records, cache } = await openNode({ laneCacheRetryMs: 123 });
    await records.acquireLease('arxiv', HOLD_MS);
    cluster.pause();
    try {
      expect(await records.acquireLease('arxiv', HOLD_MS)).toBe(123);
      records.countRequest('arxiv');
      records.setBackoff('arxiv x', { reason: 'refused', until: NOW + 9, consecutive: 0 });
      cache.write('k', 'x');
      expect(await cache.read('k')).toBeUndefined();
      expect(records.requestsToday('arxiv')).toBe(1);
      expect(records.backoffOf('arxiv x')?.until).toBe(NOW + 9);
    } finally {
      cluster.resume();
    }
    await expect.poll(() => records.acquireLease('arxiv', HOLD_MS)).toBe(0);
    const other = (await openNode()).records;
    expect(other.requestsToday('arxiv')).toBe(1);
    expect(other.backoffOf('arxiv x')?.reason).toBe('refused');
  });
});

describe('nodes that ask arXiv', () => {
  const GAP_MS = 100;
  let stub: StubServer;
  let stores: LaneStore[];
  let nodes: Lanes[];

  const openNodes = async (settings = {}) => {
    stub = await startStub(feedOf([paperEntry]));
    stores = await Promise.all([1, 2, 3].map(() => openNode({}, Date.now)));
    // A node expects to wait as long as another one's request may take, so that must be less than it has.
    const quick = { arxivGapMs: GAP_MS, laneTimeoutMs: 10_000 };
    const all = { ...onlyArxiv(stub.url), ...quick, ...settings };
    nodes = stores.map(({ cache, records }) => openLanes(all, { cache, records }));
    onTestFinished(async () => {
      for (const node of nodes) await node.close();
      await stub.close();
    });
  };

  it('send one request at a time, a gap apart, from all of them together', async () => {
    await openNodes();
    let underWay = 0;
    let most = 0;
    const ends: number[] = [];
    stub.answer((request, index) => {
      most = Math.max(most, ++underWay);
      const answer = feedOf([paperEntry])(request, index);
      const until = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => {
        underWay--;
        ends.push(performance.now());
      });
      return { ...answer, until };
    });
    const asked = nodes.flatMap((node, n) =>
      [1, 2, 3].map((q) => askOne(node, `question number${n}${q} sleep`)),
    );
    const outcomes = (await Promise.all(asked)).map(outcomeOf);
    expect(new Set(outcomes)).toEqual(new Set(['answered']));
    expect(stub.requests).toHaveLength(9);
    expect(most).toBe(1);
    const gaps = stub.requests.slice(1).map(({ at }, index) => at - (ends[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(GAP_MS);
  });

  it('get what another one has asked from the cache', async () => {
    await openNodes();
    expect(outcomeOf(await askOne(nodes[0] as Lanes))).toBe('answered');
    await expect.poll(async () => outcomeOf(await askOne(nodes[1] as Lanes))).toBe('cached');
    expect(outcomeOf(await askOne(nodes[2] as Lanes))).toBe('cached');
    expect(stub.requests.length).toBeLessThan(3);
  });

  it('stop together at the daily cap', async () => {
    await openNodes({ arxivRequestsPerDayMax: 4 });
    const asked = nodes.flatMap((node, n) =>
      [1, 2, 3].map((q) => askOne(node, `question number${n}${q} sleep`)),
    );
    const outcomes = (await Promise.all(asked)).map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'skipped: capped')).toHaveLength(5);
    expect(stub.requests).toHaveLength(4);
  });

  it('all keep to the pause that one of them was told', async () => {
    await openNodes();
    stub.answer({ status: 429, headers: { 'retry-after': '120' } });
    expect(outcomeOf(await askOne(nodes[0] as Lanes, 'first question sleep'))).toBe(
      'failed: rate_limited',
    );
    for (const node of nodes.slice(1)) {
      expect(outcomeOf(await askOne(node, 'second question sleep'))).toMatch(/^skipped: /);
    }
    expect(stub.requests).toHaveLength(1);
  });
});
