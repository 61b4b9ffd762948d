/**
 * Falling back: where the index has nothing close, the lanes are asked, and what they return is
 * ranked among the local results.
 *
 *   c >= threshold ─► local results
 *   c <  threshold ─► ask the lanes ─► admit ─► score with the local model ─► one list
 *
 * It runs beside the searches' threads and holds none of them while lanes are asked. Whatever goes
 * wrong on the way, the local results that the search has already are its answer.
 */
import { type LaneName, laneNames } from '../lane-choice.ts';
import type { SearchRequest } from '../types.ts';
import type { AskOptions, LaneDocument, LaneReport, Lanes } from './lane/lane.ts';
import { boundConcurrentKeys } from './scoring/bounded-concurrency.ts';
import { dropWithheld } from './scoring/drop-withheld.ts';
import {
  createSpeculativeEmbedding,
  type EmbedWhenIdle,
  joinVectors,
  type TextVectors,
} from './scoring/speculative-embedding.ts';

/**
 * What came of it: the index was `close` enough; the answer has the lanes' documents (`served`),
 * or the local results stand because too many searches wait for lanes (`busy`), too little time was
 * left (`no_time`), the lanes returned `nothing`, or it could not be scored in time (`not_scored`).
 * Where it is `not_allowed`, the request, its key or its customer keeps the question from all lanes.
 */
export type FallbackOutcome =
  | 'close'
  | 'served'
  | 'not_allowed'
  | 'busy'
  | 'no_time'
  | 'nothing'
  | 'not_scored';

/** What an operator, or a customer who asks for it, learns of the lanes' part in a search. */
export interface LaneTrace {
  outcome: FallbackOutcome;
  /** The confidence, and the one below which lanes are asked. */
  c: number;
  threshold: number;
  /** One for each lane that was asked. */
  reports: readonly LaneReport[];
  /** From the local answer to the end. */
  milliseconds: number;
}

/** Lane documents to be scored for a search. */
export interface ScoringTask {
  request: SearchRequest;
  documents: readonly LaneDocument[];
  /** When to stop embedding, in milliseconds since 1970. */
  until: number;
  /** What has been embedded already. */
  known: TextVectors;
}

/**
 * Resolves to undefined where there was no time to score any of the documents; undefined where too
 * many questions wait for that already.
 */
export type ScoreDocuments<Merged> = (task: ScoringTask) => Promise<Merged | undefined> | undefined;

export interface FallbackLimits {
  laneConfidence: number;
  laneSearchesMax: number;
  laneScoringMarginMs: number;
  laneAnswerMarginMs: number;
}

export interface FallbackDeps<Merged> {
  lanes: Lanes;
  score: ScoreDocuments<Merged>;
  embed: EmbedWhenIdle;
  limits: FallbackLimits;
  /** Gets what lanes returned and may be shown, when it has been scored. */
  onDocuments: (documents: readonly LaneDocument[]) => void;
  /** Gets what went wrong where nothing should, once, however many searches shared it. */
  onError: (error: unknown) => void;
}

export interface FallbackResult<Merged> {
  /** The answer with the lanes' documents; undefined where the local one stands. */
  merged: Merged | undefined;
  trace: LaneTrace;
}

/** Never throws, and is over before the deadline. */
export type Fallback<Merged> = (
  request: SearchRequest,
  c: number,
  bounds: FallbackBounds,
) => Promise<FallbackResult<Merged>>;

export interface FallbackBounds {
  /** A time of performance.now(). */
  deadline: number;
  /** The lanes that the question may go to; absent: all. */
  allowed?: readonly LaneName[];
}

export function createFallback<Merged>(deps: FallbackDeps<Merged>): Fallback<Merged> {
  const { limits } = deps;
  const ask = boundConcurrentKeys(
    limits.laneSearchesMax,
    // Whoever asks what is being asked already waits for the same answer.
    (query, _deadline, { allowed }) => JSON.stringify([query, allowed]),
    async (query: string, deadline: number, options: AskOptions) =>
      deps.lanes.ask(query, deadline, options),
  );
  const embedAhead = createSpeculativeEmbedding(deps.embed);
  const reported = new WeakSet<Error>();
  const reportOnce = (error: unknown): void => {
    if (error instanceof Error) {
      if (reported.has(error)) return;
      reported.add(error);
    }
    deps.onError(error);
  };
  const isAnyOn = (allowed: readonly LaneName[]): boolean =>
    deps.lanes.names.some((lane) => allowed.includes(lane));

  return async (request, c, { deadline, allowed = laneNames }) => {
    const started = performance.now();
    const threshold = limits.laneConfidence;
    let reports: readonly LaneReport[] = [];
    const end = (outcome: FallbackOutcome, merged?: Merged): FallbackResult<Merged> => {
      const milliseconds = Math.round(performance.now() - started);
      return { merged, trace: { outcome, c, threshold, reports, milliseconds } };
    };
    if (c >= threshold) return end('close');
    if (!isAnyOn(allowed)) return end('not_allowed');
    const lanesDeadline = deadline - limits.laneScoringMarginMs;
    if (lanesDeadline <= started) return end('no_time');
    const due = deadline - limits.laneAnswerMarginMs;
    // Half of the margin is for embedding to notice, and for ranking.
    const until = epochTime(deadline - 2 * limits.laneAnswerMarginMs);
    const ahead: Promise<TextVectors>[] = [];
    const onAnswer = (documents: readonly LaneDocument[]): void => {
      ahead.push(embedAhead({ documents, until }));
    };
    try {
      const asking = ask(request.query, lanesDeadline, { allowed, onResponse: onAnswer });
      if (asking === undefined) return end('busy');
      const answer = await before(due, asking);
      if (answer === undefined) return end('no_time');
      reports = answer.reports;
      const documents = dropWithheld(answer.documents);
      if (documents.length === 0) return end('nothing');
      const known = joinVectors((await before(due, Promise.all(ahead))) ?? []);
      const scoring = deps.score({ request, documents, until, known });
      const merged = scoring && (await before(due, scoring));
      // Not before: learning would take the thread for which this search waits.
      deps.onDocuments(documents);
      return merged === undefined ? end('not_scored') : end('served', merged);
    } catch (error) {
      reportOnce(error);
      return end(reports.length === 0 ? 'nothing' : 'not_scored');
    }
  };
}

/** The result, or undefined when it is not there in time (performance.now()). */
function before<Result>(deadline: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A time of performance.now() as milliseconds since 1970, which every thread shares. */
function epochTime(time: number): number {
  return Date.now() + (time - performance.now());
}
