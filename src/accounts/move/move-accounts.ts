/**
 * Moves all accounts from an SQLite file to PostgreSQL, or back. The commit of the file is the one that
 * moves them. PostgreSQL is prepared before it, and is told after it; what a crash leaves in between is
 * settled by the next server or move that has the file.
 */
import { randomUUID } from 'node:crypto';
import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import {
  freezeAccounts,
  leaseMsLeft,
  lockPlace,
  readPlace,
  writePlace,
} from '../postgres/postgres-account-place.ts';
import { type AccountPlace, movedAway } from '../sql/account-place.ts';
import { assertEmpty, auditSource, type Copied, copyAccounts, countRows } from './copy-accounts.ts';
import { settleMove } from './settle-move.ts';
import type { AccountFile } from './tables/account-file.ts';
import { createPostgresSide } from './tables/postgres-side.ts';

/** What has been done, in this order; not all moves have all of them. */
export type MoveStep = 'begun' | 'prepared' | 'copied' | 'stored' | 'switched' | 'finished';

export interface MoveOptions {
  file: AccountFile;
  database: Database;
  direction: 'to_postgres' | 'to_file';
  /** How each names the other. */
  names: { file: string; postgres: string };
  batchRows: number;
  onStep: (step: MoveStep) => void;
  onRows: (done: number, total: number) => void;
  signal: AbortSignal;
}

/** Undefined if an earlier move was interrupted after its commit, and only had to be finished. */
export type Moved = Copied | undefined;

/**
 * Moves the accounts. Rejects with `database_busy` if a server uses PostgreSQL, with `already_exists` if
 * the target has accounts, with `database_unusable` if the source has none any more, and with
 * `audit_failed`. Whatever it rejects with, the accounts are where they were, unless the error says
 * otherwise.
 */
export async function moveAccounts(options: MoveOptions): Promise<Moved> {
  const { file, database, onStep } = options;
  const settling = { file: file.place, database, deletesCopy: true };
  const earlier = await settleMove(settling);
  if (earlier === 'done' && isThere(options)) return undefined;
  const move = randomUUID();
  try {
    const copied = await (options.direction === 'to_postgres' ? moveToPostgres : moveToFile)(
      options,
      move,
    );
    onStep('switched');
    await settleMove(settling);
    onStep('finished');
    return copied;
  } catch (error) {
    // If PostgreSQL is away, the next move settles.
    await settleMove(settling).catch(() => {});
    throw error;
  }
}

/** Rejects as `moveAccounts` does, without changing anything. Resolves to the rows of each table. */
export async function checkMove(options: MoveOptions): Promise<Copied> {
  const { database, file, direction } = options;
  const shared = await readPlace(database);
  if (shared.pending !== null) {
    throw new VerbatimError('database_unusable', 'an earlier move is not over; run it again');
  }
  await assertNoServer(database);
  const replaces = mayReplace(options, shared);
  return await file.transaction((inFile) =>
    database.snapshot(async (queries) => {
      const onPostgres = createPostgresSide(queries, options);
      const [source, target] =
        direction === 'to_postgres' ? [inFile, onPostgres] : [onPostgres, inFile];
      const audit = await auditSource(source);
      if (!replaces) await assertEmpty(target);
      return { tables: await countRows(source), audit };
    }),
  );
}

/** Whether the accounts are in the target of the move already. */
function isThere({ file, direction }: MoveOptions): boolean {
  return (file.place.read().state === 'here') === (direction === 'to_file');
}

async function moveToPostgres(options: MoveOptions, move: string): Promise<Copied> {
  const { file, database, names, onStep } = options;
  const own = file.place.read();
  const replaces = mayReplace(options, await readPlace(database));
  file.place.write({ ...own, pending: move });
  onStep('begun');
  return await file.transaction(async (source) => {
    const copied = await database.transaction(async (queries) => {
      const shared = await lockPlace(queries);
      await assertNoServer(queries);
      const target = createPostgresSide(queries, options);
      const done = await copyAccounts({ ...options, source, target, isFromFile: true, replaces });
      onStep('copied');
      await freezeAccounts(queries);
      await writePlace(queries, { ...shared, state: 'away', pending: move, other: names.file });
      return done;
    });
    onStep('stored');
    file.place.write({ state: 'away', move, pending: null, other: names.postgres });
    return copied;
  });
}

async function moveToFile(options: MoveOptions, move: string): Promise<Copied> {
  const { file, database, names, onStep } = options;
  const own = file.place.read();
  const replaces = mayReplace(options, await readPlace(database));
  file.place.write({ ...own, pending: move });
  onStep('begun');
  await database.transaction(async (queries) => {
    const shared = await lockPlace(queries);
    await freezeAccounts(queries);
    await assertNoServer(queries);
    await writePlace(queries, { ...shared, pending: move, other: names.file });
  });
  onStep('prepared');
  return await file.transaction(async (target) => {
    const copied = await database.snapshot((queries) => {
      const source = createPostgresSide(queries, options);
      return copyAccounts({ ...options, source, target, isFromFile: false, replaces });
    });
    onStep('copied');
    file.place.write({ state: 'here', move, pending: null, other: names.postgres });
    return copied;
  });
}

/**
 * Whether the target may be replaced: it has what moved to the source, and nobody has used it since.
 * Throws `database_unusable` if the source is such a copy itself.
 */
function mayReplace({ file, direction, names }: MoveOptions, shared: AccountPlace): boolean {
  const own = file.place.read();
  const isFromFile = direction === 'to_postgres';
  const [source, target] = isFromFile ? [own, shared] : [shared, own];
  if (source.state === 'away') {
    throw movedAway(isFromFile ? names.file : names.postgres, source.other);
  }
  if (target.state === 'here') return false;
  if (target.move !== null && target.move === source.move) return true;
  const name = isFromFile ? names.postgres : names.file;
  throw new VerbatimError(
    'already_exists',
    `${name} has accounts that have moved to ${target.other}, which is not the source`,
  );
}

async function assertNoServer(queries: Queries): Promise<void> {
  const left = await leaseMsLeft(queries);
  if (left === 0) return;
  throw new VerbatimError(
    'database_busy',
    'a server uses the accounts on PostgreSQL; stop all servers first (one that was killed counts as ' +
      `running for another ${Math.ceil(left / 1000)} s)`,
  );
}
