/**
 * Logs one JSON object per line to standard error. No field may hold a secret, a query or a quoted
 * sentence.
 */

export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Creates a log that calls `write` once per line. */
export function createLog(write: (line: string) => void): Log {
  const put = (level: string, event: string, fields: LogFields = {}): void => {
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  };
  return {
    info: (event, fields) => put('info', event, fields),
    error: (event, fields) => put('error', event, fields),
  };
}
