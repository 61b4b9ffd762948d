import { describe, expect, it } from 'vitest';
import { outcomeSpans, shareOf } from '../../../src/dashboard/operator/page/outcome-spans.ts';

describe('the outcomes of a day or a month', () => {
  it('are added up', () => {
    const days = [
      { day: '2026-02-28', outcome: 'close', calls: 9 },
      { day: '2026-03-01', outcome: 'close', calls: 5 },
      { day: '2026-03-01', outcome: 'served', calls: 2 },
      { day: '2026-03-02', outcome: 'served', calls: 1 },
      { day: '2026-03-02', outcome: 'no_lanes', calls: 4 },
    ] as const;
    expect(outcomeSpans(days, ['2026-03', '2026-03-02', '2026-03-03'])).toEqual([
      {
        span: '2026-03',
        calls: 12,
        notClose: 7,
        byOutcome: { close: 5, served: 3, no_lanes: 4 },
      },
      { span: '2026-03-02', calls: 5, notClose: 5, byOutcome: { served: 1, no_lanes: 4 } },
      { span: '2026-03-03', calls: 0, notClose: 0, byOutcome: {} },
    ]);
  });

  it.each([
    [0, 0, '–'],
    [0, 7, '0%'],
    [1, 300, '0.3%'],
    [1, 7, '14%'],
    [7, 7, '100%'],
  ])('%d of %d are %s', (part, whole, share) => {
    expect(shareOf(part, whole)).toBe(share);
  });
});
