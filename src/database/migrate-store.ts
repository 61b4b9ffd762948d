/** Brings an older database to the tables of this program, after a copy of it beside it. */
import { version as program } from '../settings/version.ts';
import {
  assertMigratable,
  createTables,
  isEmpty,
  migrate,
  TABLES_VERSION,
  versionOf,
} from './migrations/migrate-file.ts';
import { connectForWriting, type OpenOptions, unusableDatabase } from './sqlite/connect.ts';
import type { Connection } from './sqlite/connection.ts';
import { copyBeforeMigration } from './sqlite/copy-before-migration.ts';

export type MigrationEvent =
  | { kind: 'copying'; bytes: number; bytesTotal: number }
  | { kind: 'copied'; path: string }
  | { kind: 'step'; number: number; of: number; name: string };

export interface MigrationOptions {
  store: OpenOptions;
  /** Whether the database is copied first. */
  withCopy: boolean;
  onEvent: (event: MigrationEvent) => void;
  /** Ends the copy. A step that has begun goes on. */
  signal?: AbortSignal;
}

export interface Migration {
  /** Steps that the file had seen, and that it has seen now. */
  from: number;
  to: number;
  /** The copy of the file as it was; undefined if nothing was done, or none was wanted. */
  copy: string | undefined;
}

/**
 * Runs the steps that an existing file has not seen. The caller holds the lock for serving, so no
 * server uses the file. A step that fails leaves the file as it was before the step. Throws
 * `database_unusable`, `unwritable_output` for the copy, and `interrupted`.
 */
export async function migrateStore(options: MigrationOptions): Promise<Migration> {
  const { store, withCopy, onEvent } = options;
  const db = connectForWriting(store, true);
  try {
    if (isEmpty(db)) createTables(db);
    assertMigratable(db);
    const [from, to] = [versionOf(db), TABLES_VERSION];
    if (from === to) return { from, to, copy: undefined };
    const copy = withCopy ? await copyBefore(db, options) : undefined;
    if (copy !== undefined) onEvent({ kind: 'copied', path: copy });
    migrate(db, (number, name) => onEvent({ kind: 'step', number, of: to, name }));
    return { from, to, copy };
  } catch (error) {
    throw unusableDatabase(store.path, error);
  } finally {
    db.close();
  }
}

/** Copies the file while another connection holds the write lock: nobody's write is missed. */
async function copyBefore(
  db: Connection,
  { store, onEvent, signal }: MigrationOptions,
): Promise<string> {
  const lock = connectForWriting(store, true);
  try {
    lock.exec('BEGIN IMMEDIATE');
    return await copyBeforeMigration(db, `${store.path}.before-${program}`, {
      onProgress: ({ bytes, bytesTotal }) => onEvent({ kind: 'copying', bytes, bytesTotal }),
      signal: signal ?? new AbortController().signal,
    });
  } finally {
    lock.close();
  }
}
