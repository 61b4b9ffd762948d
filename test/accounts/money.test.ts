import { describe, expect, it } from 'vitest';
import { firstDayOf, moneySpans } from '../../src/accounts/money.ts';
import { noMoves } from '../../src/accounts/sql/money-sums.ts';

const NOW = Date.UTC(2026, 1, 3, 12);
const outstanding = { customers: 0, credits: 0, debtors: 0, debt: 0, held: 0 };

describe('days and months of money', () => {
  it.each([
    [{ days: 30, months: 1 }, '2026-01-05'],
    [{ days: 2, months: 1 }, '2026-02-01'],
    [{ days: 1, months: 14 }, '2025-01-01'],
  ])('begin with %j on %s', (spans, first) => {
    expect(firstDayOf({ now: NOW, ...spans })).toBe(first);
  });

  it('add up what moved, and have those in which nothing did', () => {
    const report = {
      credits: [
        { day: '2026-01-31', ...noMoves, sold: 5, spent: 1 },
        { day: '2026-02-01', ...noMoves, spent: 2 },
        { day: '2026-02-03', ...noMoves, spent: 3, refunded: 1 },
      ],
      revenue: [
        { day: '2026-02-01', currency: 'eur', payments: 1, amount: 5, returned: 0 },
        { day: '2026-02-03', currency: 'eur', payments: 1, amount: 7, returned: 7 },
        { day: '2026-02-03', currency: 'usd', payments: 3, amount: 1, returned: 0 },
      ],
      outstanding,
    };
    const { days, months } = moneySpans(report, { now: NOW, days: 3, months: 3 });
    expect(days.map(({ span, spent }) => [span, spent])).toEqual([
      ['2026-02-01', 2],
      ['2026-02-02', 0],
      ['2026-02-03', 3],
    ]);
    expect(months.map(({ span, spent, sold }) => [span, spent, sold])).toEqual([
      ['2025-12', 0, 0],
      ['2026-01', 1, 5],
      ['2026-02', 5, 0],
    ]);
    expect(months[2]?.revenue).toEqual([
      { currency: 'usd', payments: 3, amount: 1, returned: 0 },
      { currency: 'eur', payments: 2, amount: 12, returned: 7 },
    ]);
    expect(months[0]?.revenue).toEqual([]);
  });
});
