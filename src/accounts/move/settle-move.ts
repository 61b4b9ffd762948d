/**
 * Ends a move that was interrupted. The SQLite file always knows where the accounts are, for its commit
 * is the one that moves them. PostgreSQL may have to ask it.
 */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import {
  freezeAccounts,
  lockPlace,
  readPlace,
  thawAccounts,
  unfinishedMove,
  writePlace,
} from '../postgres/postgres-account-place.ts';
import type { PlaceInFile } from './tables/account-file.ts';
import { createPostgresSide } from './tables/postgres-side.ts';

export interface SettleOptions {
  file: PlaceInFile;
  database: Database;
  /**
   * Whether to delete a copy on PostgreSQL that never became the accounts. If not, such a copy rejects
   * with `database_unusable`.
   */
  deletesCopy: boolean;
}

/**
 * Where the accounts are after a move that was interrupted: `none` if there was none, `done` if they
 * have moved, `undone` if they are where they were. The caller holds the lock of the file for serving, so
 * the move does not run. Rejects with `database_unusable` if the move was with another file.
 */
export async function settleMove(options: SettleOptions): Promise<'none' | 'done' | 'undone'> {
  const { file, database } = options;
  const hasBegun = file.read().pending !== null;
  if (!hasBegun && (await readPlace(database)).pending === null) return 'none';
  // The lock also waits for a transaction of a move that has lost its connection.
  const settled = await database.transaction((queries) => settleWithin(queries, options));
  forget(file);
  return settled;
}

/** What PostgreSQL does not know of has changed nothing, or is settled. */
function forget(file: PlaceInFile): void {
  const place = file.read();
  if (place.pending !== null) file.write({ ...place, pending: null });
}

async function settleWithin(
  queries: Queries,
  { file, deletesCopy }: SettleOptions,
): Promise<'none' | 'done' | 'undone'> {
  const shared = await lockPlace(queries);
  const { pending } = shared;
  const own = file.read();
  if (pending === null) return 'none';
  const isOver = own.move === pending;
  if (!isOver && own.pending !== pending) throw unfinishedMove(shared.other);
  const isLeaving = shared.state === 'here';
  if (isOver) {
    await writePlace(queries, {
      ...shared,
      move: pending,
      pending: null,
      state: isLeaving ? 'away' : 'here',
    });
    await (isLeaving ? freezeAccounts(queries) : thawAccounts(queries));
    return 'done';
  }
  if (!isLeaving) await deleteCopy(queries, { deletesCopy, other: shared.other });
  await writePlace(queries, {
    ...shared,
    ...(isLeaving ? {} : { move: null }),
    state: 'here',
    pending: null,
  });
  await thawAccounts(queries);
  return 'undone';
}

async function deleteCopy(
  queries: Queries,
  { deletesCopy, other }: { deletesCopy: boolean; other: string | null },
): Promise<void> {
  if (!deletesCopy) {
    throw new VerbatimError(
      'database_unusable',
      `the accounts are still in ${other}: their move was interrupted; run it again, or unset ` +
        'VERBATIM_ACCOUNTS',
    );
  }
  const side = createPostgresSide(queries, { batchRows: 1 });
  await side.startWriting();
  await side.clear();
  await side.finishWriting();
}
