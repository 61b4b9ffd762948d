/** Outcomes of searches by day and month, for the page Questions. Pure. */
import type { AnswerOutcome, OutcomeDay } from '../../../accounts/sql/answer-outcomes.ts';

/** A day or a month. */
export interface OutcomeSpan {
  /** `YYYY-MM-DD` or `YYYY-MM`, in UTC. */
  span: string;
  calls: number;
  /** Those to which the index had nothing close. */
  notClose: number;
  /** By what came of them. */
  byOutcome: Readonly<Partial<Record<AnswerOutcome, number>>>;
}

/** What the lanes did where the index had nothing close, as the page calls it. */
export const outcomeLabels: Readonly<Record<Exclude<AnswerOutcome, 'close'>, string>> = {
  served: 'Lanes found papers',
  nothing: 'Lanes had nothing',
  no_lanes: 'No lane is on',
  not_allowed: 'No lane is allowed',
  not_filtered: 'Lanes cannot filter',
  busy: 'Lanes were busy',
  no_time: 'No time for lanes',
  throttled: 'Lanes were throttled',
  no_words: 'No words for lanes',
  failed: 'Lanes failed',
  late: 'Lanes were late',
  not_scored: 'Not scored in time',
};

/** Adds up the days of each span. */
export function outcomeSpans(days: readonly OutcomeDay[], spans: readonly string[]): OutcomeSpan[] {
  return spans.map((span) => {
    const byOutcome: Partial<Record<AnswerOutcome, number>> = {};
    for (const { day, outcome, calls } of days) {
      if (day.startsWith(span)) byOutcome[outcome] = (byOutcome[outcome] ?? 0) + calls;
    }
    const calls = Object.values(byOutcome).reduce((sum, count) => sum + count, 0);
    return { span, calls, notClose: calls - (byOutcome.close ?? 0), byOutcome };
  });
}

/** Returns a share as `12%`, or `0.4%`; `–` of nothing. */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}
