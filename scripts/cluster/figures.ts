/** What clients saw around kills. Pure. */
import { quantile, sumOf } from '../measure/statistics.ts';
import { type Exchange, OK } from './load.ts';

/** From `from` to `until`, in milliseconds since 1970. */
export interface Period {
  from: number;
  until: number;
}

export interface Figures {
  answersPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Requests that were refused: 429 or 503. */
  refused: number;
  /** Requests without an answer: a connection that ended, or another status. */
  failed: number;
  /** The longest time without an answer to anybody. The largest of all periods. */
  pauseMs: number;
}

const REFUSED = [429, 503];

/** Adds up periods of one kind. */
export function measure(exchanges: readonly Exchange[], periods: readonly Period[]): Figures {
  const within = periods.map((period) =>
    exchanges.filter(({ endedAt }) => endedAt >= period.from && endedAt < period.until),
  );
  const all = within.flat();
  const answers = all.filter(({ status }) => status === OK);
  const times = answers.map(({ sentAt, endedAt }) => endedAt - sentAt);
  const seconds = sumOf(periods.map(({ from, until }) => until - from)) / 1_000;
  const refused = all.filter(({ status }) => REFUSED.includes(status)).length;
  return {
    answersPerSecond: answers.length / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    refused,
    failed: all.length - answers.length - refused,
    pauseMs: Math.max(0, ...periods.map((period, at) => longestPause(within[at] ?? [], period))),
  };
}

/** The longest time in a period in which nobody got an answer. */
export function longestPause(exchanges: readonly Exchange[], { from, until }: Period): number {
  const ends = exchanges.filter(({ status }) => status === OK).map(({ endedAt }) => endedAt);
  const sorted = [from, ...ends.sort((a, b) => a - b), until];
  return Math.max(...sorted.slice(1).map((end, index) => end - (sorted[index] ?? end)));
}
