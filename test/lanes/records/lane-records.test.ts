/** Records of providers that two processes share in one database. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { openLaneStore } from '../../../src/lanes/records/lane-store.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { PATIENT } from '../../support/patient.ts';

const folder = temporaryFolder();
const LIMITS = {
  laneCacheAgeMsMax: 1_000,
  laneCacheBytesMax: 1_000,
  laneCacheEntriesMax: 10,
  laneCachePendingMax: 3,
  laneCacheRetryMs: 10,
};
const DAY_MS = 86_400_000;
let files = 0;

/** A server and a command with one file and one clock, and another writer. */
function openTwo() {
  const path = join(folder, `${++files}.db`);
  const clock = { now: 20_000 * DAY_MS + 1_000 };
  const open = () => openLaneStore({ path, lockWaitMs: 5_000 }, LIMITS, () => clock.now);
  const other = openStore({ path, lockWaitMs: 0 });
  const [server, command] = [open(), open()];
  const close = (): void => {
    server.close();
    command.close();
    other.close();
  };
  onTestFinished(close);
  return { server: server.records, command: command.records, other, clock, open };
}

const backoff = { reason: 'rate_limited', until: 5_000, consecutive: 2 };

describe('a backoff', () => {
  it('applies to other processes, and after a restart', () => {
    const { server, command, open } = openTwo();
    expect(command.backoffOf('arxiv x')).toBeUndefined();
    server.setBackoff('arxiv x', backoff);
    expect(command.backoffOf('arxiv x')).toEqual(backoff);
    expect(command.backoffOf('arxiv y')).toBeUndefined();
    const restarted = open();
    expect(restarted.records.backoffOf('arxiv x')).toEqual(backoff);
    restarted.close();
    command.clearBackoff('arxiv x');
    expect(server.backoffOf('arxiv x')).toBeUndefined();
  });

  it('is not cleared by a process that does not know it', () => {
    const { server, command, other } = openTwo();
    server.setBackoff('a', backoff);
    other.exec('BEGIN IMMEDIATE');
    command.clearBackoff('a');
    expect(command.backoffOf('a')).toBeUndefined();
    other.exec("UPDATE lane_pauses SET until = 9000 WHERE subject = 'a'");
    other.exec('COMMIT');
    return vi.waitFor(
      () => expect(command.backoffOf('a')).toEqual({ ...backoff, until: 9_000 }),
      PATIENT,
    );
  });

  it('applies at once, and is written when the lock is free', async () => {
    const { server, command, other } = openTwo();
    other.exec('BEGIN IMMEDIATE');
    server.setBackoff('a', backoff);
    expect(server.backoffOf('a')).toEqual(backoff);
    expect(command.backoffOf('a')).toBeUndefined();
    other.exec('COMMIT');
    await vi.waitFor(() => expect(command.backoffOf('a')).toEqual(backoff), PATIENT);
  });
});

describe('the lease of a provider', () => {
  it('belongs to one process until it is released, and then has a gap', () => {
    const { server, command, clock } = openTwo();
    expect(server.acquireLease('arxiv', 9_000)).toBe(0);
    expect(command.acquireLease('arxiv', 9_000)).toBe(9_000);
    expect(command.leaseWaitMs('arxiv')).toBe(9_000);
    expect(command.acquireLease('semantic_scholar', 9_000)).toBe(0);
    // A process does not wait for its own lease; its rate limiter keeps the gap.
    expect(server.leaseWaitMs('arxiv')).toBe(0);
    clock.now += 500;
    server.releaseLease('arxiv', 3_000);
    expect(command.acquireLease('arxiv', 9_000)).toBe(3_000);
    clock.now += 3_000;
    expect(command.acquireLease('arxiv', 9_000)).toBe(0);
    server.releaseLease('arxiv', 0);
    expect(server.acquireLease('arxiv', 9_000)).toBe(9_000);
  });

  it('expires if its process died', () => {
    const { server, clock, open } = openTwo();
    server.acquireLease('arxiv', 9_000);
    const restarted = open();
    expect(restarted.records.acquireLease('arxiv', 9_000)).toBe(9_000);
    clock.now += 9_000;
    expect(restarted.records.acquireLease('arxiv', 9_000)).toBe(0);
    restarted.close();
  });

  it('cannot be acquired while another connection holds the lock', () => {
    const { server, other } = openTwo();
    other.exec('BEGIN IMMEDIATE');
    expect(server.acquireLease('arxiv', 9_000)).toBe(LIMITS.laneCacheRetryMs);
    other.exec('COMMIT');
    expect(server.acquireLease('arxiv', 9_000)).toBe(0);
  });

  it('is ignored if it lies too far in the future because a clock was set back', () => {
    const { server, command, clock } = openTwo();
    server.acquireLease('arxiv', 9_000);
    clock.now -= 3 * DAY_MS;
    expect(command.leaseWaitMs('arxiv')).toBe(0);
    expect(command.acquireLease('arxiv', 9_000)).toBe(0);
  });

  it('is free if the table is gone', () => {
    const { server, other } = openTwo();
    other.exec('DROP TABLE lane_turns');
    expect(server.acquireLease('arxiv', 9_000)).toBe(0);
  });
});

describe('the request count of a day', () => {
  it('sums up all processes for each provider until midnight', () => {
    const { server, command, clock } = openTwo();
    server.countRequest('arxiv');
    command.countRequest('arxiv');
    command.countRequest('brave');
    expect([server.requestsToday('arxiv'), server.requestsToday('brave')]).toEqual([2, 1]);
    clock.now += DAY_MS - 1_001;
    expect(server.requestsToday('arxiv')).toBe(2);
    clock.now += 1;
    expect(server.requestsToday('arxiv')).toBe(0);
    server.countRequest('arxiv');
    expect(command.requestsToday('arxiv')).toBe(1);
  });

  it('goes on while another connection writes', async () => {
    const { server, command, other } = openTwo();
    other.exec('BEGIN IMMEDIATE');
    for (let i = 0; i < 5; i++) server.countRequest('arxiv');
    expect([server.requestsToday('arxiv'), command.requestsToday('arxiv')]).toEqual([5, 0]);
    other.exec('COMMIT');
    await vi.waitFor(() => expect(command.requestsToday('arxiv')).toBe(5), PATIENT);
    expect(server.requestsToday('arxiv')).toBe(5);
  });
});
