/** Whether the accounts in an SQLite file are in use, or have moved to PostgreSQL. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';

/** The same on SQLite and on PostgreSQL. */
export interface AccountPlace {
  /** `away`: they are used in another database, and this is a copy of what they were. */
  state: 'here' | 'away';
  /** The id of the last move to or from here; null if there was none. */
  move: string | null;
  /** The id of a move that has begun and is not over; null if there is none. */
  pending: string | null;
  /** The other database of the last of both, without its password; null if there was none. */
  other: string | null;
}

export function readPlace(db: Connection): AccountPlace {
  return db.prepare('SELECT state, move, pending, other FROM account_place').get() as AccountPlace;
}

export function writePlace(db: Connection, place: AccountPlace): void {
  db.prepare(
    `UPDATE account_place SET state = :state, move = :move, pending = :pending, other = :other`,
  ).run(place);
}

/**
 * Throws `database_unusable` if the accounts have moved away. A move that is not over changes nothing
 * for an SQLite file: it has the accounts until the move is.
 */
export function assertAccountsHere(db: Connection): void {
  const { state, other } = readPlace(db);
  if (state === 'away') throw movedAway(db.name, other);
}

/** The error for accounts that are in use elsewhere. */
export function movedAway(name: string, other: string | null): VerbatimError {
  return new VerbatimError(
    'database_unusable',
    `the accounts of ${name} have moved to ${other}; use them there, or move them back: ` +
      'verbatim accounts move --help',
  );
}
