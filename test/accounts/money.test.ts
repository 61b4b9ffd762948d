import { describe, expect, it } from 'vitest';
import { firstDayOf, moneySpans, netOf } from '../../src/accounts/money.ts';

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
    const call = (span: string, credits: number) =>
      ({ span, move: 'call', entries: -credits, credits }) as const;
    const none = { refunded: 0, disputed: 0 };
    const report = {
      credits: [
        { span: '2026-01-31', move: 'purchase', entries: 1, credits: 5 } as const,
        ...[call('2026-01-31', -1), call('2026-02-01', -2), call('2026-02-03', -3)],
      ],
      revenue: [
        { day: '2026-02-01', currency: 'eur', payments: 1, amount: 5, ...none },
        { day: '2026-02-03', currency: 'eur', payments: 1, amount: 7, refunded: 4, disputed: 3 },
        { day: '2026-02-03', currency: 'usd', payments: 3, amount: 1, ...none },
      ],
      outstanding,
    };
    const { days, months } = moneySpans(report, { now: NOW, days: 3, months: 3 });
    expect(days.map(({ span, credits }) => [span, credits.call])).toEqual([
      ['2026-02-01', -2],
      ['2026-02-02', 0],
      ['2026-02-03', -3],
    ]);
    expect(months.map(({ span, credits }) => [span, credits.call, credits.purchase])).toEqual([
      ['2025-12', 0, 0],
      ['2026-01', -1, 5],
      ['2026-02', -5, 0],
    ]);
    expect(months[2]?.revenue).toEqual([
      { currency: 'usd', payments: 3, amount: 1, ...none },
      { currency: 'eur', payments: 2, amount: 12, refunded: 4, disputed: 3 },
    ]);
    expect(months[2]?.revenue.map(netOf)).toEqual([1, 5]);
    expect(months[0]?.revenue).toEqual([]);
  });
});
