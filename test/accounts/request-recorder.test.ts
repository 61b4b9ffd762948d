/** What is kept of requests, and what is only counted. */
import { describe, expect, it } from 'vitest';
import { createRequestRecorder } from '../../src/accounts/request-recorder.ts';
import type { NewRequest, RequestCount } from '../../src/accounts/sql/request-rows.ts';
import { recorded } from '../support/recorded.ts';

const NOON = Date.UTC(2026, 2, 14, 12);
const HOUR = 3_600_000;

interface Written {
  requests: readonly NewRequest[];
  counts: readonly RequestCount[];
}

function recorder(overrides: object = {}, write = async (_: Written): Promise<void> => {}) {
  const written: Written[] = [];
  const warnings: string[] = [];
  const limits = { requestFailuresMax: 3, requestWriteMs: 5, requestsWaitingMax: 100 };
  const log = {
    debug: () => {},
    info: () => {},
    error: () => {},
    warn: (event: string) => void warnings.push(event),
  };
  const { record, flush } = createRequestRecorder({
    store: {
      recordRequests: async (batch: Written) => {
        written.push(batch);
        await write(batch);
      },
    },
    log,
    settings: { ...limits, ...overrides },
  });
  return { record, flush, written, warnings };
}

const answered = (createdAt = NOON) => recorded({ customerId: 1, keyId: 1, createdAt });
const failed = (keyId: number, createdAt = NOON) =>
  recorded({ customerId: 1, keyId, status: 401, code: 'invalid_key', createdAt });

describe('a recorder', () => {
  it('writes what came in a while together, by itself', async () => {
    const { record, written } = recorder();
    const both = [answered(), answered(NOON + 1)];
    for (const one of both) record(one);
    await expect.poll(() => written.length).toBe(1);
    expect(written[0]?.requests).toEqual(both);
    expect(written[0]?.counts).toMatchObject([{ day: '2026-03-14', calls: 2, lastAt: NOON + 1 }]);
  });

  it('keeps so many failures of a key in an hour, and counts all', async () => {
    const { record, flush, written } = recorder();
    for (let i = 0; i < 5; i++) record(failed(1, NOON + i));
    record(failed(2, NOON + 6));
    record(answered(NOON + 7));
    record(failed(1, NOON + HOUR));
    await flush();
    expect(written[0]?.requests.map(({ keyId, code }) => [keyId, code])).toEqual([
      ...[1, 1, 1, 2].map((keyId) => [keyId, 'invalid_key']),
      ...[
        [1, null],
        [1, 'invalid_key'],
      ],
    ]);
    // In one order, whatever came first: servers write the same rows.
    expect(written[0]?.counts.map(({ keyId, code, calls }) => [keyId, code, calls])).toEqual([
      [1, '', 1],
      [1, 'invalid_key', 6],
      [2, 'invalid_key', 1],
    ]);
  });

  it('only counts requests of nobody', async () => {
    const { record, flush, written } = recorder();
    const end = { path: '/mcp', status: 401, code: 'invalid_key', createdAt: NOON };
    for (let i = 0; i < 9; i++) record({ customerId: 0, keyId: 0, ...end });
    await flush();
    expect(written).toMatchObject([{ requests: [], counts: [{ customerId: 0, calls: 9 }] }]);
  });

  it('keeps no more than may wait, and counts the rest', async () => {
    const { record, flush, written } = recorder({ requestsWaitingMax: 2 });
    for (let i = 0; i < 5; i++) record(answered());
    await flush();
    expect(written[0]?.requests).toHaveLength(2);
    expect(written[0]?.counts).toMatchObject([{ calls: 5 }]);
    await flush();
    expect(written).toHaveLength(1);
  });

  it('goes on after failures, and says so once', async () => {
    const { record, flush, written, warnings } = recorder({}, async () => {
      if (written.length <= 2) throw new Error('disk full');
    });
    for (let i = 0; i < 2; i++) {
      record(answered());
      await flush();
    }
    expect(warnings).toEqual(['requests_not_recorded']);
    record(answered());
    await flush();
    expect([written.length, warnings.length]).toEqual([3, 1]);
  });
});
