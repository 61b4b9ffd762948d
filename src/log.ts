/**
 * The log: one JSON object per line, or whatever the `write` of another log makes of an event. No
 * field may hold a secret or a quoted sentence, and a question only if a setting says so.
 */
export type LogFields = Record<string, string | number | boolean | undefined>;

/** From the least to the most severe. */
const levels = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof levels)[number];

export type Log = Readonly<Record<LogLevel, (event: string, fields?: LogFields) => void>>;

/** Writes an event of a level that is logged. */
export type WriteEvent = (level: LogLevel, event: string, fields: LogFields) => void;

/** Creates a log that drops the events below the least level. */
export function createLeveledLog(leastLevel: LogLevel, write: WriteEvent): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void => {
      if (levels.indexOf(level) >= levels.indexOf(leastLevel)) write(level, event, fields);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/**
 * What systemd's journal takes at the start of a line as the line's priority, and removes:
 * sd-daemon(3).
 */
const journalPrefixes: Readonly<Record<LogLevel, string>> = {
  debug: '<7>',
  info: '<6>',
  warn: '<4>',
  error: '<3>',
};

export interface JsonLogOptions {
  leastLevel?: LogLevel;
  /** Whether the journal of systemd receives the lines. */
  isForJournal?: boolean;
}

/** Creates a log that calls `write` once per line, with a JSON object. */
export function createLog(
  write: (line: string) => void,
  { leastLevel = 'info', isForJournal = false }: JsonLogOptions = {},
): Log {
  return createLeveledLog(leastLevel, (level, event, fields) => {
    const prefix = isForJournal ? journalPrefixes[level] : '';
    const json = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
    write(`${prefix}${json}\n`);
  });
}
