/**
 * Falling back: where the index has nothing close, the lanes are asked, and what they return is
 * ranked among the local results.
 *
 *   c >= threshold ─► local results
 *   c <  threshold ─► ask all lanes ─► score with the local model ─► one list
 *
 * It runs beside the searches' threads and holds none of them while lanes are asked. Whatever goes
 * wrong on the way, the local results that the search has already are its answer.
 */
import type { LaneDocument, LaneReport, Lanes } from '../lanes/lane.ts';
import type { SearchRequest } from '../types.ts';

/**
 * What came of it: the index was `close` enough; the answer has the lanes' documents (`served`),
 * or the local results stand because too many searches wait for lanes (`busy`), too little time was
 * left (`no_time`), the lanes returned `nothing`, or it could not be scored in time (`not_scored`).
 */
export type FallbackOutcome = 'close' | 'served' | 'busy' | 'no_time' | 'nothing' | 'not_scored';

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
}

export interface FallbackLimits {
  laneConfidence: number;
  laneSearchesMax: number;
  laneScoringsMax: number;
  laneScoringMarginMs: number;
  laneAnswerMarginMs: number;
}

export interface FallbackParts<Merged> {
  lanes: Lanes;
  /** Undefined where there was no time to score any of them. */
  score: (task: ScoringTask) => Promise<Merged | undefined>;
  limits: FallbackLimits;
  /** Gets whatever lanes returned, when it has been scored. */
  onDocuments: (documents: readonly LaneDocument[]) => void;
  /** Gets what went wrong where nothing should. */
  onError: (error: unknown) => void;
}

export interface FallenBack<Merged> {
  /** The answer with the lanes' documents; undefined where the local one stands. */
  merged: Merged | undefined;
  trace: LaneTrace;
}

/** Never throws, and is over before the deadline (performance.now()). */
export type Fallback<Merged> = (
  request: SearchRequest,
  c: number,
  deadline: number,
) => Promise<FallenBack<Merged>>;

export function createFallback<Merged>(parts: FallbackParts<Merged>): Fallback<Merged> {
  const { limits } = parts;
  const ask = bounded(limits.laneSearchesMax, async (query: string, deadline: number) =>
    parts.lanes.ask(query, deadline),
  );
  const score = bounded(limits.laneScoringsMax, parts.score);

  return async (request, c, deadline) => {
    const started = performance.now();
    const threshold = limits.laneConfidence;
    let reports: readonly LaneReport[] = [];
    const end = (outcome: FallbackOutcome, merged?: Merged): FallenBack<Merged> => {
      const milliseconds = Math.round(performance.now() - started);
      return { merged, trace: { outcome, c, threshold, reports, milliseconds } };
    };
    if (c >= threshold) return end('close');
    const lanesDeadline = deadline - limits.laneScoringMarginMs;
    if (lanesDeadline <= started) return end('no_time');
    try {
      const asking = ask(request.query, lanesDeadline);
      if (asking === undefined) return end('busy');
      const answer = await before(deadline - limits.laneAnswerMarginMs, asking);
      if (answer === undefined) return end('no_time');
      reports = answer.reports;
      const { documents } = answer;
      if (documents.length === 0) return end('nothing');
      // Half of the margin is for embedding to notice, and for ranking.
      const until = epochTime(deadline - 2 * limits.laneAnswerMarginMs);
      const scoring = score({ request, documents, until });
      const merged = scoring && (await before(deadline - limits.laneAnswerMarginMs, scoring));
      // Not before: learning would take the thread for which this search waits.
      parts.onDocuments(documents);
      return merged === undefined ? end('not_scored') : end('served', merged);
    } catch (error) {
      parts.onError(error);
      return end(reports.length === 0 ? 'nothing' : 'not_scored');
    }
  };
}

/** The same work, at most so many at a time; undefined instead of a further one. */
function bounded<Args extends unknown[], Result>(
  most: number,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> | undefined {
  let underWay = 0;
  return (...args) => {
    if (underWay >= most) return undefined;
    underWay++;
    return work(...args).finally(() => {
      underWay--;
    });
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
