/**
 * One JSON object a line on standard error. Secrets, query texts and quoted sentences never get
 * here: callers pass named fields, and none of those fields holds one.
 */

export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A log that writes through `write`, one line a call. */
export function createLog(write: (line: string) => void): Log {
  const put = (level: string, event: string, fields: LogFields = {}): void => {
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  };
  return {
    info: (event, fields) => put('info', event, fields),
    error: (event, fields) => put('error', event, fields),
  };
}
