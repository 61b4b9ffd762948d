import { describe, expect, it } from 'vitest';
import { formatRate, formatSpan } from '../../../src/dashboard/operator/page/format-rate.ts';
import { slotsOf } from '../../../src/dashboard/operator/page/slots.ts';
import { readSample } from '../../../src/metrics/server-sample.ts';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 2, 14, 12, 7);

function sampleAt(endedAt: number, numbers: Record<string, unknown>) {
  return readSample(endedAt, JSON.stringify(numbers));
}

describe('slots', () => {
  it('cover 24 hours up to the one under way', () => {
    const slots = slotsOf([], NOW);
    expect(slots).toHaveLength(96);
    expect(slots[0]?.startsAt).toBe(Date.UTC(2026, 2, 13, 12, 15));
    expect(slots.at(-1)).toEqual({ startsAt: Date.UTC(2026, 2, 14, 12, 0), numbers: undefined });
  });

  it('add counts up and keep the largest sizes', () => {
    const samples = [
      sampleAt(NOW - 6 * MINUTE_MS, { searches: 3, failed: 1, walBytes: 9, waiting: 1 }),
      sampleAt(NOW - MINUTE_MS, { searches: 4, refused: 2, walBytes: 5, waiting: 7 }),
      sampleAt(NOW - 30 * MINUTE_MS, { searches: 100 }),
    ];
    const slots = slotsOf(samples, NOW);
    const sum = { searches: 7, failed: 1, refused: 2, walBytes: 9, waiting: 7 };
    expect(slots.at(-1)?.numbers).toMatchObject(sum);
    expect(slots.at(-3)?.numbers?.searches).toBe(100);
    expect(slots.at(-2)?.numbers).toBeUndefined();
  });
});

it.each([
  [0, '0'],
  [0.04, '0.04'],
  [3.14, '3.1'],
  [1234.5, '1,235'],
])('the rate %d is written %s', (rate, text) => {
  expect(formatRate(rate)).toBe(text);
});

it.each([
  [0.4, '0 seconds'],
  [1, '1 second'],
  [90, '1 minute'],
  [7200, '2 hours'],
  [300_000, '3 days'],
])('%d seconds are written %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text);
});
