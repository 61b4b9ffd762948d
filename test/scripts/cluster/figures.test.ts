import { describe, expect, it } from 'vitest';
import { longestPause, measure } from '../../../scripts/cluster/figures.ts';
import type { Exchange } from '../../../scripts/cluster/load.ts';

const exchange = (endedAt: number, status = 200, tookMs = 10): Exchange => ({
  customerId: 1,
  status,
  sentAt: endedAt - tookMs,
  endedAt,
});

describe('the figures around kills', () => {
  it('add up several periods', () => {
    const exchanges = [
      exchange(100),
      exchange(600, 200, 30),
      exchange(700, 503),
      exchange(800, 0),
      exchange(1_000, 200, 500),
      exchange(5_500, 200, 20),
    ];
    const periods = [
      { from: 0, until: 1_000 },
      { from: 5_000, until: 6_000 },
    ];
    expect(measure(exchanges, periods)).toEqual({
      answersPerSecond: 1.5,
      p50Ms: 20,
      p99Ms: 30,
      refused: 1,
      failed: 1,
      pauseMs: 500,
    });
  });

  it('have the longest pause between answers, and before and after them', () => {
    const period = { from: 0, until: 1_000 };
    expect(longestPause([exchange(300), exchange(900), exchange(400, 503)], period)).toBe(600);
    expect(longestPause([exchange(950)], period)).toBe(950);
    expect(longestPause([], period)).toBe(1_000);
  });
});
