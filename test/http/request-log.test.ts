import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRequestLog, type LogRequest } from '../../src/http/request-log.ts';
import type { LogFields } from '../../src/log.ts';

describe('the log of requests', () => {
  let lines: { event: string; fields: LogFields | undefined }[];
  let logRequest: LogRequest;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    lines = [];
    const put = (event: string, fields?: LogFields): void => {
      lines.push({ event, fields });
    };
    const log = { debug: put, info: put, warn: put, error: put };
    logRequest = createRequestLog(log, { rejectionLinesMax: 2 });
  });
  afterEach(() => vi.useRealTimers());

  function request(...statuses: number[]): void {
    for (const status of statuses) logRequest({ status });
  }

  const statuses = (): unknown[] => lines.map(({ fields }) => fields?.['status']);

  it('has a line for each request that was not refused', () => {
    request(200, 200, 200, 402, 500, 504);
    expect(statuses()).toEqual([200, 200, 200, 402, 500, 504]);
  });

  it('counts rejections beyond the maximum of a second', () => {
    request(503, 429, 503, 200, 503, 401);
    expect(statuses()).toEqual([503, 429, 200]);
    vi.advanceTimersByTime(1_000);
    expect(lines.slice(3)).toEqual([
      { event: 'requests_rejected', fields: { status_503: 2, status_401: 1 } },
    ]);
  });

  it('starts anew with each second, and is silent when nothing was counted', () => {
    request(503, 503);
    vi.advanceTimersByTime(1_000);
    request(503, 503, 404);
    vi.advanceTimersByTime(1_000);
    request(503);
    vi.advanceTimersByTime(5_000);
    expect(statuses()).toEqual([503, 503, 503, 503, undefined, 503]);
    expect(lines[4]?.fields).toEqual({ status_404: 1 });
  });
});
