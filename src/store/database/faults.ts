/** What SQLite reports when the machine fails it, in words for the operator. */
import { VerbatimError } from '../../errors.ts';

/** The causes, by the names of SQLite's result codes. */
const causes: readonly [code: RegExp, words: string][] = [
  // The second: no room for the index of the log, of which each database in use has one.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)/, 'the disk is full'],
  [/^SQLITE_READONLY/, 'the file or its file system is read-only'],
  [/^SQLITE_IOERR/, 'the disk reports an I/O error'],
  [/^SQLITE_(BUSY|LOCKED)/, 'another process holds the database locked'],
  [/^SQLITE_CANTOPEN/, 'the database or a file beside it cannot be opened'],
  [/^SQLITE_CORRUPT/, 'the database is damaged'],
  [/^SQLITE_NOTADB/, 'the file is not a database'],
  [/^SQLITE_NOMEM/, 'there is no memory left'],
];

/** Why the machine failed SQLite; undefined for any other error. */
export function faultOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return undefined;
  const words = causes.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? undefined : `${words} (${code})`;
}

/** The error itself, or `database_unusable` with the cause where the machine failed. */
export function namingFault(error: unknown, path: string): unknown {
  const fault = faultOf(error);
  if (fault === undefined) return error;
  return new VerbatimError('database_unusable', `cannot use ${path} as a database: ${fault}`, {
    cause: error,
  });
}
