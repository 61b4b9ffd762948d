/** Whether the accounts on PostgreSQL are in use, or have moved to an SQLite file. */

import { codeOf, type Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import { type AccountPlace, movedAway } from '../sql/account-place.ts';

/** How messages name this database. */
const SHARED_ACCOUNTS = 'VERBATIM_ACCOUNTS';

const SELECT = 'SELECT state, move, pending, other FROM account_place';
const LOCK_NOT_AVAILABLE = '55P03';
/** Every change of credit adds a row to the first, and every change by an operator to the second. */
const FROZEN_TABLES = ['ledger_entries', 'operator_actions'];

export async function readPlace({ query }: Queries): Promise<AccountPlace> {
  return placeOf(await query<AccountPlace>(SELECT));
}

/** The same, and locks it until the transaction ends: no server joins meanwhile. */
export async function lockPlace({ query }: Queries): Promise<AccountPlace> {
  return placeOf(await query<AccountPlace>(`${SELECT} FOR UPDATE`));
}

export async function writePlace({ query }: Queries, place: AccountPlace): Promise<void> {
  const { state, move, pending, other } = place;
  await query('UPDATE account_place SET state = $1, move = $2, pending = $3, other = $4', [
    ...[state, move, pending, other],
  ]);
}

/** Rejects with `database_unusable` if the accounts have moved away, or if a move is not over. */
export async function assertAccountsHere(queries: Queries): Promise<void> {
  assertHere(await readPlace(queries));
}

/**
 * The same for a server that has a lease already. A move locks the place before it looks for leases, so
 * one of the two sees the other.
 */
export async function assertAccountsHereForServing({ query }: Queries): Promise<void> {
  const rows = await query<AccountPlace>(`${SELECT} FOR SHARE NOWAIT`).catch((error: unknown) => {
    const { cause } = error as { cause?: unknown };
    if (codeOf(cause) !== LOCK_NOT_AVAILABLE) throw error;
    throw new VerbatimError('database_busy', `the accounts in ${SHARED_ACCOUNTS} are being moved`);
  });
  assertHere(placeOf(rows));
}

function placeOf([row]: AccountPlace[]): AccountPlace {
  if (row === undefined) throw new Error('account_place has no row');
  return row;
}

function assertHere({ state, pending, other }: AccountPlace): void {
  if (pending !== null) throw unfinishedMove(other);
  if (state === 'away') throw movedAway(SHARED_ACCOUNTS, other);
}

/** The error for accounts of which only the SQLite file of the move says where they are. */
export function unfinishedMove(other: string | null): VerbatimError {
  return new VerbatimError(
    'database_unusable',
    `a move of accounts between ${SHARED_ACCOUNTS} and ${other} is not over; run it again: ` +
      'verbatim accounts move',
  );
}

/** Refuses changes of credit, and changes by operators, of programs that are still connected. */
export async function freezeAccounts({ query }: Queries): Promise<void> {
  for (const table of FROZEN_TABLES) {
    await query(
      `CREATE OR REPLACE TRIGGER accounts_frozen BEFORE INSERT ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()`,
    );
  }
}

export async function thawAccounts({ query }: Queries): Promise<void> {
  for (const table of FROZEN_TABLES)
    await query(`DROP TRIGGER IF EXISTS accounts_frozen ON ${table}`);
}

/** How long the longest lease of a server still lasts; 0 if none runs. */
export async function leaseMsLeft({ query }: Queries): Promise<number> {
  const [row] = await query<{ left: number }>(
    `SELECT coalesce(greatest(0, ceil(extract(epoch FROM max(lease_until) - clock_timestamp()) * 1000)), 0)::bigint
       AS left FROM nodes`,
  );
  return row?.left ?? 0;
}
