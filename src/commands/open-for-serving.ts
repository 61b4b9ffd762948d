/** Opens the database file of a server. */
import { existsSync } from 'node:fs';
import { migrateStore } from '../database/migrate-store.ts';
import { openExistingStore, openStore } from '../database/open.ts';
import type { Connection } from '../database/sqlite/connection.ts';
import { namingFault } from '../database/sqlite/faults.ts';
import { lockForServing } from '../database/sqlite/process-lock.ts';
import { isOnPostgres } from '../index/open/index-place.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import { storeOptions } from './cli/options.ts';
import { logMigration } from './log-migration.ts';

/** An open database that no other server serves. */
export interface ServedDatabase {
  db: Connection;
  /** Lets another server have the file. */
  unlock: () => void;
}

/**
 * Locks, migrates, and opens the database: none of it must happen under another server. Throws
 * `database_busy` if one has the file, and `database_unusable` for a file that it cannot use.
 */
export async function openForServing(settings: Settings, log: Log): Promise<ServedDatabase> {
  createMissingFile(settings);
  const unlock = await lockForServing(settings.database);
  let db: Connection | undefined;
  try {
    const store = storeOptions(settings);
    await migrateStore({ store, withCopy: true, onEvent: logMigration(log) });
    db = openExistingStore(store);
    return { db, unlock };
  } catch (error) {
    db?.close();
    unlock();
    throw namingFault(error, settings.database);
  }
}

/**
 * Creates the file of a server that keeps nothing of value in it: the accounts are on PostgreSQL, and so
 * is the index, or it is a copy. For others, a missing file is more likely a wrong path.
 */
function createMissingFile(settings: Settings): void {
  const isIndexElsewhere = isOnPostgres(settings) || settings.readOnlyIndex !== '';
  const isElsewhere = isIndexElsewhere && settings.accountsAddress !== '';
  if (isElsewhere && !existsSync(settings.database)) openStore(storeOptions(settings)).close();
}
