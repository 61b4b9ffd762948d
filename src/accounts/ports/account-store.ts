/**
 * Everything that a server knows of its accounts, behind promises: customers, keys, credit, sessions,
 * grants of clients, and payments, on SQLite or PostgreSQL. Callers must not know which one they have.
 * What a method does and throws stands at the function of its name in `sql/`.
 *
 * Four rules hold for every method:
 *
 * - A write is durable when its promise resolves. If the promise rejects, the write may have been made
 *   or not, unless the error is an expected one, which changes nothing.
 * - A reader sees every write that resolved before it was called. One reader sees one moment: two
 *   readers may see two. Only `admit` may know nothing newer than this turn of the event loop has read:
 *   a request that was sent after a change is handled in a later turn.
 * - Writes of one caller that waits for each are made in that order. Writes that nobody waits for in
 *   between may be made in any order.
 * - A method that takes `now` uses that time, and any other the clock of this process. Only the leases
 *   of nodes use the clock of the database.
 *
 * Every method may reject with `degraded` while the store cannot be written, and a reader with whatever
 * the database threw.
 */

import type { AccountOperations } from '../sql/account-operations.ts';
import type { AttemptStore } from './attempt-store.ts';
import type { NodeStore } from './node-store.ts';
import type { PaidCallStore } from './paid-call-store.ts';

export type AccountStore = AccountOperations & PaidCallStore & AttemptStore & NodeStore;
