/**
 * How the lanes took part in a search, as one line for a header and the log: a list of structured
 * fields (RFC 9651), first the search, then each lane that was asked.
 *
 *   served;c=0.31;threshold=0.52;ms=843, arxiv;provider=arxiv;outcome=answered;documents=10;ms=612
 */
import type { LaneReport } from './lane/lane.ts';

/**
 * What came of the lanes in a search.
 *
 * - `close`: the index was close enough, and no lane was asked.
 * - `served`: documents of lanes were ranked among the local results.
 * - `not_allowed`: the request, its key, or its customer allows none of the lanes that are on.
 * - `not_filtered`: the request has a filter that the lanes cannot apply.
 * - `busy`: too many other questions wait for lanes.
 * - `no_time`: none was asked, because too little time was left.
 * - `throttled`: none was asked, because limits on the requests to the providers held them back.
 * - `no_words`: none was asked, because the question leaves nothing to ask for.
 * - `failed`: all that were asked failed, or none was asked because of failures before.
 * - `late`: none responded in time.
 * - `nothing`: at least one responded, and none has a paper that may be shown.
 * - `not_scored`: what they returned could not be scored in time.
 */
export type FallbackOutcome =
  | 'close'
  | 'served'
  | 'not_allowed'
  | 'not_filtered'
  | 'busy'
  | 'no_time'
  | 'throttled'
  | 'no_words'
  | 'failed'
  | 'late'
  | 'nothing'
  | 'not_scored';

export interface LaneTrace {
  outcome: FallbackOutcome;
  /** The confidence of the local answer, and the one below which lanes are asked. */
  c: number;
  threshold: number;
  /** One for each lane that was asked. */
  reports: readonly LaneReport[];
  /** From the local answer to the end. */
  milliseconds: number;
}

/** What came of a search to which no lane gave a paper that may be shown, by what each lane did. */
export function outcomeWithoutPapers(reports: readonly LaneReport[]): FallbackOutcome {
  const having = (outcome: LaneReport['outcome']): LaneReport[] =>
    reports.filter((report) => report.outcome === outcome);
  if (having('answered').length > 0 || having('cached').length > 0) return 'nothing';
  if (having('late').length > 0) return 'late';
  if (having('failed').length > 0) return 'failed';
  const outcomes = having('skipped').map(({ reason }) => outcomesOfSkips[reason] ?? 'throttled');
  return skipOutcomes.find((outcome) => outcomes.includes(outcome)) ?? 'no_time';
}

/** By falling precedence. */
const skipOutcomes: readonly FallbackOutcome[] = ['throttled', 'failed', 'no_time', 'no_words'];

/** Skips for other reasons are throttling: see `SkipReason`. */
const outcomesOfSkips: Readonly<Record<string, FallbackOutcome>> = {
  no_time: 'no_time',
  closed: 'no_time',
  no_words: 'no_words',
  circuit_open: 'failed',
  refused: 'failed',
};

export function formatTrace({ outcome, c, threshold, milliseconds, reports }: LaneTrace): string {
  const search = `${outcome};c=${c};threshold=${threshold};ms=${milliseconds}`;
  return [search, ...reports.map(formatReport)].join(', ');
}

function formatReport(report: LaneReport): string {
  const { lane, provider, outcome, reason, documents, milliseconds } = report;
  const reasonField = reason === '' ? '' : `;reason=${reason}`;
  const ms = Math.round(milliseconds);
  return `${lane};provider=${provider};outcome=${outcome}${reasonField};documents=${documents};ms=${ms}`;
}
