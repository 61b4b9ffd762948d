/** What operators read. A server reads it in a thread of its own, because some of it scans tables. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { readOutcomes } from './answer-outcomes.ts';
import { findWholeKey, listKeys, listKeysOf } from './api-keys.ts';
import { auditLedger } from './audit.ts';
import { searchCustomers } from './customer-search.ts';
import { customerOf, findCustomer, listCustomers } from './customers.ts';
import { listKeptAudits } from './kept-audits.ts';
import { listEntries } from './ledger.ts';
import { listMembers } from './member-rows.ts';
import { readMoney } from './money-sums.ts';
import { type ActionsRequest, listActions } from './operator-trail.ts';
import { listOperators } from './operators.ts';
import { listOwnKeys } from './own-keys.ts';
import { listPayments, listStrayEvents } from './payments.ts';
import { listPaymentsToReview } from './payments-to-review.ts';
import type { SessionLimits } from './session-rows.ts';
import { countSessions } from './sessions.ts';

/** Names a customer, by address or by id. */
export type CustomerName = { email: string } | { customerId: number };

const found = (db: Connection, name: CustomerName) =>
  'email' in name ? findCustomer(db, name.email) : customerOf(db, name.customerId);

/** Each function throws what the method of its name in operator-store.ts rejects with. */
const reads = {
  listCustomers: (db: Connection, _input: undefined) => listCustomers(db),
  searchCustomers,
  showCustomer(db: Connection, input: CustomerName & { limits: SessionLimits; now: number }) {
    const { limits, now } = input;
    const customer = found(db, input);
    const { id: customerId } = customer;
    return {
      ...customer,
      members: listMembers(db, customerId),
      sessions: countSessions(db, { customerId, limits, now }),
      keys: listOwnKeys(db, { customerId, now }),
    };
  },
  listKeys: (db: Connection, { email }: { email?: string | undefined }) =>
    email === undefined ? listKeys(db) : listKeysOf(db, findCustomer(db, email).id),
  findKey: (db: Connection, { prefix }: { prefix: string }) => findWholeKey(db, prefix),
  listEntries: (db: Connection, { email, limit }: { email: string; limit: number }) =>
    listEntries(db, { customerId: findCustomer(db, email).id, limit }),
  audit: (db: Connection, _input: undefined) => auditLedger(db),
  listKeptAudits,
  readMoney,
  readOutcomes,
  listPaymentsToReview,
  listPayments: (
    db: Connection,
    { email, limit }: { email?: string | undefined; limit: number },
  ) => ({
    payments: listPayments(db, {
      customerId: email === undefined ? undefined : findCustomer(db, email).id,
      limit,
    }),
    strays: email === undefined ? listStrayEvents(db, limit) : [],
  }),
  listActions: (
    db: Connection,
    { email, ...request }: Omit<ActionsRequest, 'customerId'> & { email?: string | undefined },
  ) =>
    listActions(db, {
      ...request,
      customerId: email === undefined ? undefined : findCustomer(db, email).id,
    }),
  listOperators,
};

type Reads = typeof reads;
export type OperatorReadName = keyof Reads;
export type OperatorReadInput<Name extends OperatorReadName> = Parameters<Reads[Name]>[1];
export type OperatorReadResult<Name extends OperatorReadName> = ReturnType<Reads[Name]>;

/** What to read, named by its function, and its input. Cloned between threads. */
export interface OperatorRead {
  name: OperatorReadName;
  input: unknown;
}

/** Reads one moment. */
export function readAsOperator(db: Connection, { name, input }: OperatorRead): unknown {
  const read = reads[name] as (db: Connection, input: unknown) => unknown;
  return db.transaction(() => read(db, input))();
}
