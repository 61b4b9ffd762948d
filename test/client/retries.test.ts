/** When the client repeats a request. */
import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs, waitMs } from '../../src/client/retries.ts';

describe('the wait before a repetition', () => {
  it.each([
    [429, 2_000, 2_000],
    [503, 0, 0],
    [503, undefined, 500],
    [0, undefined, 500],
    [409, 1_000, 1_000],
    [400, 1_000, undefined],
    [402, undefined, undefined],
    [504, undefined, undefined],
  ])('after %d with Retry-After %s ms is %s ms', (status, retryAfterMs, expected) => {
    expect(waitMs(0, { status, retryAfterMs, isFreeToRepeat: true }, () => 0)).toBe(expected);
  });

  it.each([
    [429, 500],
    [500, 500],
    [503, 500],
    [0, undefined],
    [502, undefined],
  ])('after %d of a request that could be charged again is %s ms', (status, expected) => {
    const failed = { status, retryAfterMs: undefined, isFreeToRepeat: false };
    expect(waitMs(0, failed, () => 0)).toBe(expected);
  });

  it('doubles, less up to a half', () => {
    const failed = { status: 500, retryAfterMs: undefined, isFreeToRepeat: true };
    expect([0, 1, 2].map((attempt) => waitMs(attempt, failed, () => 0))).toEqual([500, 1000, 2000]);
    expect(waitMs(2, failed, () => 1)).toBe(1000);
  });
});

describe('Retry-After', () => {
  it.each([
    ['3', 3_000],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 4_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('%s is %s ms', (value, expected) => {
    expect(parseRetryAfterMs(value, 1_000)).toBe(expected);
  });
});
