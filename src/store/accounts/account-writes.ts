/**
 * The table of what a running service may change for its customers. Each entry takes a connection
 * and one object that can be sent from thread to thread; the ledger's thread calls them.
 */

import type { Connection } from '../database/connection.ts';
import { addCustomer, setLowBalance } from './customers.ts';
import { setCustomerLanes, setOwnKeyLanes } from './lane-choices.ts';
import { createLink } from './links.ts';
import { createOwnKey, revokeOwnKey, setOwnKeyCap } from './own-keys.ts';
import { renewHash, replacePassword, setPasswordByLink, startSession } from './passwords.ts';
import { endSession, endSessions, seeSession } from './sessions.ts';

const accountWrites = {
  addCustomer,
  createLink,
  setLowBalance,
  startSession,
  setPasswordByLink,
  replacePassword,
  renewHash,
  seeSession,
  endSession,
  endSessions,
  createOwnKey,
  revokeOwnKey,
  setOwnKeyCap,
  setCustomerLanes,
  setOwnKeyLanes,
};

type AccountWrites = typeof accountWrites;
export type AccountWriteName = keyof AccountWrites;
export type AccountWriteInput<Name extends AccountWriteName> = Parameters<AccountWrites[Name]>[1];
export type AccountWriteResult<Name extends AccountWriteName> = ReturnType<AccountWrites[Name]>;

/** A change by its name, and what it is given. */
export interface AccountWrite {
  name: AccountWriteName;
  input: unknown;
}

/** Makes the change; returns or throws what the entry of the table does. */
export function applyAccountWrite(db: Connection, { name, input }: AccountWrite): unknown {
  const write = accountWrites[name] as (db: Connection, input: unknown) => unknown;
  return write(db, input);
}
