/**
 * Falling back: when the index has nothing close, the lanes are asked, and their documents are
 * ranked among the local results.
 *
 *   c >= threshold ─► local results
 *   c <  threshold ─► ask the lanes ─► drop withheld ─► score with the local model ─► one list
 *
 * It runs on the main thread and holds no search thread while lanes are asked. Whatever goes wrong,
 * the local results are the answer.
 */

import { canLanesMatch } from '../search/lane-filter.ts';
import { type LaneName, laneNames } from '../settings/lane-choice.ts';
import type { SearchRequest } from '../types.ts';
import type { AskOptions, LaneDocument, LaneReport, Lanes } from './lane/lane.ts';
import { type FallbackOutcome, type LaneTrace, outcomeWithoutPapers } from './lane-trace.ts';
import { boundConcurrentKeys } from './scoring/bounded-concurrency.ts';
import { coalesceRequests, type SharedRequest } from './scoring/coalesce-requests.ts';
import { showPublished } from './scoring/lane-papers.ts';
import type { EmbedWhenIdle, ScoreDocuments, TextVectors } from './scoring/scoring-task.ts';
import { dropWithheld } from './scoring/select-documents.ts';
import { createSpeculativeEmbedding, joinVectors } from './scoring/speculative-embedding.ts';

export interface FallbackLimits {
  laneConfidence: number;
  laneSearchesMax: number;
  laneWaitMsMax: number;
  laneScoringMarginMs: number;
  laneAnswerMarginMs: number;
}

export interface FallbackDeps<Merged> {
  lanes: Lanes;
  score: ScoreDocuments<Merged>;
  embed: EmbedWhenIdle;
  limits: FallbackLimits;
  /** Receives the documents that may be shown, after they were scored. */
  onDocuments: (documents: readonly LaneDocument[]) => void;
  /**
   * Receives each unexpected error once, however many searches share it, with the request id of the
   * first.
   */
  onError: (error: unknown, requestId: string | undefined) => void;
}

export interface FallbackResult<Merged> {
  /** The answer with documents of lanes. Undefined: the local answer stands. */
  merged: Merged | undefined;
  trace: LaneTrace;
}

/** Never throws, and resolves before the deadline. */
export type Fallback<Merged> = (
  request: SearchRequest,
  c: number,
  bounds: FallbackBounds,
) => Promise<FallbackResult<Merged>>;

export interface FallbackBounds {
  /** A time of performance.now(). */
  deadline: number;
  /** The lanes that the question may go to. Absent: all. */
  allowed?: readonly LaneName[];
  /** For the log. Absent: the search is no request. */
  requestId?: string;
}

export function createFallback<Merged>(deps: FallbackDeps<Merged>): Fallback<Merged> {
  const { limits } = deps;
  const ask = createAsk(deps);
  const embedSpeculatively = createSpeculativeEmbedding(deps.embed);
  const reported = new WeakSet<Error>();
  const reportOnce = (error: unknown, requestId: string | undefined): void => {
    if (error instanceof Error) {
      if (reported.has(error)) return;
      reported.add(error);
    }
    deps.onError(error, requestId);
  };
  const isAnyOn = (allowed: readonly LaneName[]): boolean =>
    deps.lanes.names.some((lane) => allowed.includes(lane));

  return async (request, c, { deadline, allowed = laneNames, requestId }) => {
    const started = performance.now();
    const threshold = limits.laneConfidence;
    let reports: readonly LaneReport[] = [];
    const end = (outcome: FallbackOutcome, merged?: Merged): FallbackResult<Merged> => {
      const milliseconds = Math.round(performance.now() - started);
      return { merged, trace: { outcome, c, threshold, reports, milliseconds } };
    };
    if (c >= threshold) return end('close');
    if (!isAnyOn(allowed)) return end('not_allowed');
    if (!canLanesMatch(request.filter)) return end('not_filtered');
    const lanesDeadline = deadline - limits.laneScoringMarginMs;
    if (lanesDeadline <= started) return end('no_time');
    const due = deadline - limits.laneAnswerMarginMs;
    let shared: SharedRequest | undefined;
    // Half of the margin is for the embedder to stop and for ranking.
    const until = epochTime(deadline - 2 * limits.laneAnswerMarginMs);
    const embeddings: Promise<TextVectors>[] = [];
    const onResponse = (documents: readonly LaneDocument[]): void => {
      embeddings.push(embedSpeculatively({ documents, until }));
    };
    try {
      shared = ask(request.query, lanesDeadline, { allowed, onResponse });
      if (shared === undefined) return end('busy');
      const response = await before(due, shared.response);
      if (response === undefined) return end('late');
      reports = response.reports;
      const documents = showPublished(dropWithheld(response.documents));
      if (documents.length === 0) return end(outcomeWithoutPapers(reports));
      const known = joinVectors((await before(due, Promise.all(embeddings))) ?? []);
      const scoring = deps.score({ request, documents, until, known });
      const merged = scoring && (await before(due, scoring));
      // After scoring, because learning takes the thread that this search waits for.
      deps.onDocuments(documents);
      return merged === undefined ? end('not_scored') : end('served', merged);
    } catch (error) {
      reportOnce(error, requestId);
      return end(reports.length === 0 ? 'failed' : 'not_scored');
    } finally {
      shared?.end();
    }
  };
}

/** Asks the lanes, for all searches with this question and these lanes that run together. */
function createAsk({
  lanes,
  limits,
}: Pick<FallbackDeps<unknown>, 'lanes' | 'limits'>): (
  query: string,
  deadline: number,
  options: Required<AskOptions>,
) => SharedRequest | undefined {
  const coalesce = coalesceRequests();
  const keyOf = (query: string, { allowed }: Pick<Required<AskOptions>, 'allowed'>): string =>
    JSON.stringify([query, lanes.names.filter((lane) => allowed.includes(lane))]);
  const bounded = boundConcurrentKeys(
    limits.laneSearchesMax,
    // A question that is being asked already shares the flight, so it takes up no more room.
    (query, _deadline, options) => keyOf(query, options),
    async (query: string, deadline: number, options: Required<AskOptions>) =>
      lanes.ask(query, deadline, options),
  );
  return (query, deadline, { allowed, onResponse }) =>
    coalesce({
      key: keyOf(query, { allowed }),
      until: Math.min(deadline, performance.now() + limits.laneWaitMsMax),
      deadline,
      onResponse,
      ask: (onEach) => bounded(query, deadline, { allowed, onResponse: onEach }),
    });
}

/** The result, or undefined if it is not there by the deadline (performance.now()). */
function before<Result>(deadline: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A time of performance.now() as milliseconds since 1970, which all threads share. */
function epochTime(time: number): number {
  return Date.now() + (time - performance.now());
}
