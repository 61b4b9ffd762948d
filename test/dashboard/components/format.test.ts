import { describe, expect, it } from 'vitest';
import {
  formatChange,
  formatCounted,
  formatDecimal,
  formatTimestamp,
} from '../../../src/dashboard/components/format-values.ts';
import { describeDays } from '../../../src/dashboard/components/usage-chart.tsx';

describe('words for numbers', () => {
  it('have a sign if they change a balance, and the right noun', () => {
    expect([formatChange(1_500), formatChange(-1), formatChange(0), formatChange(-0)]).toEqual([
      ...['+1,500', '\u22121', '0', '0'],
    ]);
    expect([formatCounted(1, 'credit'), formatCounted(2, 'search', 'searches')]).toEqual([
      ...['1 credit', '2 searches'],
    ]);
    expect([formatDecimal(-3.444), formatDecimal(-0.001)]).toEqual(['\u22123.44', '0.00']);
    expect(formatTimestamp(Date.UTC(2026, 2, 14, 9, 30))).toBe('Mar 14, 2026, 09:30 UTC');
  });

  it('describe the days of a chart', () => {
    const days = [
      { day: '2026-03-13', requests: 1 },
      { day: '2026-03-14', requests: 1_200 },
    ];
    expect(describeDays(days)).toBe(
      '1,201 searches in total. Busiest day: Mar 14, 2026, with 1,200.',
    );
    expect(describeDays([{ day: '2026-03-14', requests: 0 }])).toBe('No searches.');
  });
});
