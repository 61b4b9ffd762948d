/** A served database whose write-ahead log another process holds back. */
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { walBytes } from '../../../src/database/sqlite/wal.ts';
import { addAccount, type Caller, logged, readUsage, search } from '../../http/contract.ts';
import { withLimits } from '../../support/limits.ts';
import { PATIENT } from '../../support/patient.ts';
import { useService } from '../../support/use-service.ts';

const CHECKPOINT_BYTES = 200_000;
const BYTES_MAX = 400_000;

const service = useService({
  env: {
    ...withLimits({ walCheckMs: 50, walCheckpointBytes: CHECKPOINT_BYTES }),
    VERBATIM_WAL_BYTES_MAX: String(BYTES_MAX),
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
  },
});

/** Searches, which writes holds and settlements, until the log is as long. */
async function searchUntil(caller: Caller, bytes: number): Promise<void> {
  while (walBytes(service.database) < bytes) {
    expect((await search(caller)).status).toBe(200);
  }
}

describe('the write-ahead log of a server', () => {
  it('is emptied when it has grown, while searches go on', async () => {
    const caller = addAccount(service, { credits: 10_000 });
    await searchUntil(caller, CHECKPOINT_BYTES);
    await vi.waitFor(
      () => expect(walBytes(service.database)).toBeLessThan(CHECKPOINT_BYTES),
      PATIENT,
    );
    expect(logged(service, 'wal_held_back')).toEqual([]);
  });

  it('is reported with the process that holds it back, and emptied when that ends', async () => {
    const caller = addAccount(service, { email: 'bob@example.org', credits: 10_000 });
    const reader = new Database(service.database);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM customers').get();
    await searchUntil(caller, BYTES_MAX);
    const held = await vi.waitFor(
      () => logged(service, 'wal_held_back')[0] ?? expect.fail('not reported yet'),
      PATIENT,
    );
    expect(held).toMatchObject({
      level: 'error',
      bytes: expect.any(Number),
      by: expect.stringContaining(`process ${process.pid}: `),
    });
    await sleep(500);
    expect(logged(service, 'wal_held_back').length).toBeLessThan(3);
    reader.exec('COMMIT');
    await vi.waitFor(() => expect(logged(service, 'wal_released')).toHaveLength(1), PATIENT);
    expect(walBytes(service.database)).toBeLessThan(CHECKPOINT_BYTES);
    expect((await readUsage(caller)).requests).toBeGreaterThan(0);
    reader.close();
  });
});
