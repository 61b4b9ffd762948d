/**
 * The log lines of requests. A flood of rejections must not cost more than the searches, so beyond a
 * number per second they are only counted.
 */
import type { Log, LogFields } from '../log.ts';

/** Statuses of requests that a client can repeat without end and without cost. */
const REFUSED: ReadonlySet<number> = new Set([401, 404, 429, 503]);
const SECOND_MS = 1_000;

/** Writes the line of one request. */
export type LogRequest = (fields: LogFields & { status: number }) => void;

export interface RequestLogOptions {
  /** Rejections that get a line of their own, per second. */
  rejectionLinesMax: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Creates the log of requests. Rejections (401, 404, 429, 503) beyond `rejectionLinesMax` in a second
 * share one line at the end of that second, `requests_rejected`, with their number for each status.
 */
export function createRequestLog(
  log: Log,
  { rejectionLinesMax, now = () => performance.now() }: RequestLogOptions,
): LogRequest {
  let secondEnds = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let counts: Record<string, number> = {};
  const writeCounts = (): void => {
    log.info('requests_rejected', counts);
    counts = {};
  };
  return (fields) => {
    if (!REFUSED.has(fields.status)) {
      log.info('request', fields);
      return;
    }
    if (now() >= secondEnds) {
      secondEnds = now() + SECOND_MS;
      lines = 0;
    }
    lines++;
    if (lines <= rejectionLinesMax) {
      log.info('request', fields);
      return;
    }
    // Its timer does not keep a process alive that has nothing else to do.
    if (lines === rejectionLinesMax + 1) setTimeout(writeCounts, secondEnds - now()).unref();
    const name = `status_${fields.status}`;
    counts[name] = (counts[name] ?? 0) + 1;
  };
}
