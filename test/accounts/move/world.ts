/** An SQLite file with accounts and an empty PostgreSQL, and moves between them. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type Moved,
  type MoveOptions,
  moveAccounts,
} from '../../../src/accounts/move/move-accounts.ts';
import { settleMoveOfServer } from '../../../src/accounts/move/settle-move-of-server.ts';
import { movedTables } from '../../../src/accounts/move/tables/moved-tables.ts';
import { withMoveEnds } from '../../../src/accounts/move/with-move-ends.ts';
import { assertAccountsHere as assertSharedHere } from '../../../src/accounts/postgres/postgres-account-place.ts';
import {
  type AccountPlace,
  assertAccountsHere,
  readPlace,
  writePlace,
} from '../../../src/accounts/sql/account-place.ts';
import { openExistingStore } from '../../../src/database/open.ts';
import { databaseOptions } from '../../../src/database/postgres/database-options.ts';
import { openMigrated } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import type { Database } from '../../../src/database/postgres/postgres-database.ts';
import { readSettings, type Settings } from '../../../src/settings/config.ts';

export type Direction = MoveOptions['direction'];

/** Small batches, so that each table with more than a few rows has several. */
export function settingsFor(url: string): Settings {
  return readSettings(
    {
      accountsAddress: url,
      accountMoveBatchRows: 7,
      accountConnectTimeoutMs: 60_000,
      accountStatementTimeoutMs: 60_000,
    },
    {},
  );
}

export const storeAt = (folder: string) => ({
  path: join(folder, 'verbatim.db'),
  lockWaitMs: 60_000,
});

type Store = ReturnType<typeof storeAt>;

/** Moves, with what tests do at a step or during the copy. */
export async function move(
  { url, store, direction }: { url: string; store: Store; direction: Direction },
  doing: Partial<Pick<MoveOptions, 'onStep' | 'onRows' | 'signal'>> = {},
): Promise<Moved> {
  const ends = { settings: settingsFor(url), store, isDryRun: false, isFileCreated: false };
  const silent = { onStep() {}, onRows() {}, signal: new AbortController().signal };
  return await withMoveEnds(ends, (opened) =>
    moveAccounts({ ...opened, ...silent, ...doing, direction }),
  );
}

export async function withDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openMigrated(databaseOptions(settingsFor(url)));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export function withFile<Result>(
  store: Store,
  work: (db: ReturnType<typeof openExistingStore>) => Result,
): Result {
  const db = openExistingStore(store);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Rows as text in one order, the same for both databases. */
export type Rows = Record<string, string[]>;

export function rowsInFile(store: Store): Rows {
  return withFile(store, (db) =>
    collect((table) => db.prepare(`SELECT * FROM ${table}`).all() as never),
  );
}

export async function rowsOnPostgres(url: string): Promise<Rows> {
  return await withDatabase(url, async ({ query }) => {
    const all = new Map<string, Record<string, unknown>[]>();
    for (const table of movedTables) all.set(table, await query(`SELECT * FROM ${table}`));
    return collect((table) => all.get(table) ?? []);
  });
}

function collect(rowsOf: (table: string) => Record<string, unknown>[]): Rows {
  const written = ({ node_id: _, ...row }: Record<string, unknown>): string =>
    JSON.stringify(
      Object.entries(row)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
    );
  return Object.fromEntries(movedTables.map((table) => [table, rowsOf(table).map(written).sort()]));
}

/** Which of both would be used: what a server on each says when it starts. */
export async function usable(
  { url, store }: { url: string; store: Store },
  expected: Rows,
): Promise<{ file: boolean; postgres: boolean }> {
  const inFile = (): boolean =>
    withFile(store, (db) => {
      try {
        assertAccountsHere(db);
        return isDeepStrictEqual(rowsInFile(store), expected);
      } catch {
        return false;
      }
    });
  const before = inFile();
  const postgres = await startOnPostgres({ url, store });
  // A server that looks at PostgreSQL does not change what the file says.
  if (inFile() !== before) throw new Error('the accounts left the file');
  if (postgres && !isDeepStrictEqual(await rowsOnPostgres(url), expected)) {
    throw new Error('PostgreSQL would be used, and has other accounts');
  }
  return { file: before, postgres };
}

async function startOnPostgres({ url, store }: { url: string; store: Store }): Promise<boolean> {
  const db = openExistingStore(store);
  const file = { read: () => readPlace(db), write: (place: AccountPlace) => writePlace(db, place) };
  try {
    await settleMoveOfServer(settingsFor(url), file);
    return await withDatabase(url, async (database) => {
      await assertSharedHere(database);
      return (await database.query('SELECT 1 FROM customers')).length > 0;
    });
  } catch {
    return false;
  } finally {
    db.close();
  }
}
