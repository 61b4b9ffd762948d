/** Describes machine failures that SQLite reports, for the operator. */
import { VerbatimError } from '../../errors.ts';

/** Causes by SQLite result code. */
const causes: readonly [code: RegExp, words: string][] = [
  // SHMSIZE: no room for the index of the write-ahead log.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)/, 'the disk is full'],
  [
    /^SQLITE_READONLY_DIRECTORY/,
    'SQLite cannot add its write-ahead log to the read-only folder; make the folder writable, or ' +
      'use a backup of the database, which has no such log',
  ],
  [/^SQLITE_READONLY/, 'the file or its file system is read-only'],
  [/^SQLITE_IOERR/, 'the disk reports an I/O error'],
  [/^SQLITE_(BUSY|LOCKED)/, 'another process holds the database locked'],
  [/^SQLITE_CANTOPEN/, 'the database or a file beside it cannot be opened'],
  [/^SQLITE_CORRUPT/, 'the database is damaged'],
  [/^SQLITE_NOTADB/, 'the file is not a database'],
  [/^SQLITE_NOMEM/, 'there is no memory left'],
];

/** Returns why the machine failed SQLite; undefined for any other error. */
export function faultOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return undefined;
  const words = causes.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? undefined : `${words} (${code})`;
}

/** Returns whether SQLite says that its file is damaged. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCodeOf(error) ?? '');
}

/** Returns SQLite's code of an error, or of the error that caused it; undefined if it has none. */
export function sqliteCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  const isSqlite = typeof code === 'string' && code.startsWith('SQLITE_');
  return isSqlite ? code : sqliteCodeOf(error.cause);
}

/** Returns `database_unusable` with the cause if the machine failed; otherwise the error itself. */
export function namingFault(error: unknown, path: string): unknown {
  const fault = faultOf(error);
  if (fault === undefined) return error;
  return new VerbatimError('database_unusable', `cannot use ${path} as a database: ${fault}`, {
    cause: error,
  });
}
