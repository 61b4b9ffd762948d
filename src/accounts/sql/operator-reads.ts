/**
 * What operators read, each of one moment. On SQLite a server reads it in a thread of its own, because
 * some of it scans tables.
 */
import { queryFirst, type Sql } from '../../database/sql/sql.ts';
import { readOutcomes } from './answer-outcomes.ts';
import { type ApiKey, findWholeKey, listKeys, listKeysOf } from './api-keys.ts';
import { type LedgerEntry, listEntries } from './credit-entries.ts';
import { searchCustomers } from './customer-search.ts';
import { type Customer, customerOf, findCustomer, listCustomers } from './customers.ts';
import { listGivenCredit } from './given-credit.ts';
import { listKeptAudits } from './kept-audits.ts';
import { type ListedMember, listMembers } from './member-rows.ts';
import { readMoney } from './money-sums.ts';
import { type ActionsRequest, listActions, type OperatorAction } from './operator-trail.ts';
import { listOperators } from './operators.ts';
import { listOwnKeys, type OwnKey } from './own-keys.ts';
import { type ListedPayment, listPayments, listStrayEvents, type StrayEvent } from './payments.ts';
import { listPaymentsToReview } from './payments-to-review.ts';
import { findRefundable } from './refund-requests.ts';
import { listFailures } from './request-pages.ts';
import type { SessionLimits } from './session-rows.ts';
import { countSessions } from './sessions.ts';

/** Names a customer, by address or by id. */
export type CustomerName = { email: string } | { customerId: number };

/** A customer as operators see them. All of one moment. */
export interface ShownCustomer extends Customer {
  /** What operators wrote of the customer; empty without. */
  note: string;
  members: ListedMember[];
  /** Active ones, of all members. */
  sessions: number;
  keys: OwnKey[];
}

/** Perhaps one customer, who is named by an address. */
interface OfCustomer {
  email?: string | undefined;
}

/** What each of them does and throws stands at its function. */
export const operatorReads = {
  listCustomers,
  searchCustomers,
  *showCustomer(input: CustomerName & { limits: SessionLimits; now: number }): Sql<ShownCustomer> {
    const { limits, now } = input;
    const customer =
      'email' in input ? yield* findCustomer(input.email) : yield* customerOf(input.customerId);
    const { id: customerId } = customer;
    return {
      ...customer,
      note: yield* noteOf(customerId),
      members: yield* listMembers(customerId),
      sessions: yield* countSessions({ customerId, limits, now }),
      keys: yield* listOwnKeys({ customerId, now }),
    };
  },
  /** Lists all keys, or those of one customer, oldest first. */
  *listKeys({ email }: OfCustomer): Sql<ApiKey[]> {
    const customerId = yield* idOf(email);
    return customerId === undefined ? yield* listKeys() : yield* listKeysOf(customerId);
  },
  findKey: ({ prefix }: { prefix: string }) => findWholeKey(prefix),
  /** Lists the newest entries of a customer, newest first. */
  *listEntries({ email, limit }: { email: string; limit: number }): Sql<LedgerEntry[]> {
    const { id: customerId } = yield* findCustomer(email);
    return yield* listEntries({ customerId, limit });
  },
  listGivenCredit,
  findRefundable,
  listKeptAudits,
  readMoney,
  readOutcomes,
  listPaymentsToReview,
  listFailures,
  /** Lists payments, newest first, and events that have a problem and, without `email`, no payment. */
  *listPayments({
    email,
    limit,
  }: OfCustomer & { limit: number }): Sql<{ payments: ListedPayment[]; strays: StrayEvent[] }> {
    const customerId = yield* idOf(email);
    return {
      payments: yield* listPayments({ customerId, limit }),
      strays: customerId === undefined ? yield* listStrayEvents(limit) : [],
    };
  },
  /** Lists what operators changed, newest first: of all customers, or of one. */
  *listActions({
    email,
    ...request
  }: OfCustomer & Omit<ActionsRequest, 'customerId'>): Sql<OperatorAction[]> {
    return yield* listActions({ ...request, customerId: yield* idOf(email) });
  },
  listOperators,
};

/** The id of a customer; undefined if none is named. Throws `unknown_customer`. */
function* idOf(email: string | undefined): Sql<number | undefined> {
  return email === undefined ? undefined : (yield* findCustomer(email)).id;
}

function* noteOf(customerId: number): Sql<string> {
  const sql = "SELECT coalesce(operator_note, '') AS note FROM customers WHERE id = $1";
  return (yield* queryFirst<{ note: string }>(sql, [customerId]))?.note ?? '';
}
