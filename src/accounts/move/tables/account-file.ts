/** An SQLite file at one end of a move, locked so that no server uses it. */

import { openExistingStore, openStore } from '../../../database/open.ts';
import type { OpenOptions } from '../../../database/sqlite/connect.ts';
import { namingFault } from '../../../database/sqlite/faults.ts';
import { lockForServing } from '../../../database/sqlite/process-lock.ts';
import { type AccountPlace, readPlace, writePlace } from '../../sql/account-place.ts';
import type { AccountsSide } from './accounts-side.ts';
import { type BatchLimits, createSqliteSide } from './sqlite-side.ts';

/** Where a file says whether it has the accounts. */
export interface PlaceInFile {
  read(): AccountPlace;
  write(place: AccountPlace): void;
}

export interface AccountFile {
  place: PlaceInFile;
  /** Runs work while nobody else writes. Commits if it resolves. */
  transaction<Result>(work: (side: AccountsSide) => Promise<Result>): Promise<Result>;
  close(): void;
}

export interface AccountFileOptions {
  store: OpenOptions;
  limits: BatchLimits;
  /** Whether a file that is missing is created. */
  isCreated: boolean;
}

/**
 * Opens a file. Throws `database_busy` if a server uses it, `migration_needed` if an older version wrote
 * it, and `database_unusable`.
 */
export async function openAccountFile(options: AccountFileOptions): Promise<AccountFile> {
  const { store, limits, isCreated } = options;
  if (isCreated) openStore(store).close();
  const unlock = await lockForServing(store.path);
  let db: ReturnType<typeof openExistingStore>;
  try {
    db = openExistingStore(store);
  } catch (error) {
    unlock();
    throw error;
  }
  return {
    place: {
      read: () => readPlace(db),
      write(place) {
        try {
          writePlace(db, place);
        } catch (error) {
          throw namingFault(error, store.path);
        }
      },
    },
    async transaction(work) {
      try {
        db.exec('BEGIN IMMEDIATE');
        const result = await work(createSqliteSide(db, limits));
        db.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk has ended the transaction already.
        if (db.inTransaction) db.exec('ROLLBACK');
        throw namingFault(error, store.path);
      }
    },
    close() {
      db.close();
      unlock();
    },
  };
}
