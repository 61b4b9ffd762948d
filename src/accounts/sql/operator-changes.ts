/** What operators change, each with its entry in the trail. */

import { lockCustomer, query, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { setAlerts } from './alert-rows.ts';
import {
  type CreatedKey,
  capKey,
  createKey,
  type NewKey,
  revokeKey,
  rotateKey,
  setKeyLanes,
  setKeyRates,
} from './api-keys.ts';
import { refundSearch, type TopUp, topUp } from './credit-entries.ts';
import {
  addCustomer,
  assertNotDeleted,
  type Customer,
  customerOf,
  findCustomer,
  normalizeEmail,
  setNamedCustomerLanes,
} from './customers.ts';
import { disableCustomer, enableCustomer } from './disable-customer.ts';
import { takeBackCredit } from './given-credit.ts';
import { addFirstCustomer } from './insert-first-customer.ts';
import { keepAudit } from './kept-audits.ts';
import { ownerOf } from './member-rows.ts';
import { addAction, assertNotSubmitted, type OperatorIdentity } from './operator-trail.ts';
import { addOperator, assertOperatorSession, linkOperator, removeOperator } from './operators.ts';
import { findLogin } from './passwords.ts';
import type { EventResult, PaymentEvent } from './payment-decisions.ts';
import { recordReconciled } from './payment-events.ts';
import { refundRequests } from './refund-requests.ts';
import { removeSecondFactor } from './second-factor-rows.ts';
import { type CreatedLink, createLink } from './sign-in-links.ts';
import { type IndexChange, type Reasoned, type TrailEntry, trailEntries } from './trail-entries.ts';

/** A customer who is named by an address. */
interface Named {
  email: string;
}

/** A customer with a new one-time link of a member. */
export interface LinkedCustomer {
  customer: Customer;
  /** The address of the member whom the link is for. */
  email: string;
  link: CreatedLink;
}

/** What each of them does and throws stands at its function. */
export const operatorChanges = {
  /** Adds a customer with credit and a link. Throws `usage` and `already_exists`. */
  *addCustomer(
    input: Named & { credits?: number | undefined; linkExpiresAt: number; now: number },
  ): Sql<LinkedCustomer> {
    const { email, credits, linkExpiresAt, now } = input;
    const { id: customerId } = yield* addCustomer({ email, now });
    const memberId = yield* ownerOf(customerId);
    const link = yield* createLink({ memberId, expiresAt: linkExpiresAt });
    if (credits !== undefined) yield* topUp({ customerId, credits, now });
    const customer = yield* findCustomer(email);
    return { customer, email: customer.email, link };
  },
  addFirstCustomer,
  /**
   * Creates a link for the member with this address; an earlier one ends. Throws `unknown_customer`, and
   * `usage` for a disabled customer.
   */
  *createLink({ email, expiresAt }: Named & { expiresAt: number }): Sql<LinkedCustomer> {
    const login = yield* findLogin(normalizeEmail(email));
    if (login === undefined) {
      throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
    }
    yield* lockCustomer(login.customerId);
    const customer = yield* customerOf(login.customerId);
    if (customer.disabledAt !== null) {
      throw new VerbatimError('usage', `the customer ${customer.email} is disabled`);
    }
    const link = yield* createLink({ memberId: login.memberId, expiresAt });
    return { customer, email: login.email, link };
  },
  setCustomerLanes: setNamedCustomerLanes,
  disableCustomer: (input: Named & Reasoned & { now: number }) => disableCustomer(input),
  enableCustomer: (input: Named & Reasoned) => enableCustomer(input),
  /** Writes a note about a customer, in place of an earlier one. Throws `usage` for a deleted one. */
  *setCustomerNote({ email, note }: Named & { note: string }): Sql<Customer> {
    const customer = yield* findCustomer(email);
    assertNotDeleted(customer);
    // If the customer is deleted meanwhile, nobody has the address, and nothing changes.
    const values = [customer.email, note === '' ? null : note];
    yield* query('UPDATE customers SET operator_note = $2 WHERE email = $1', values);
    return customer;
  },
  /** Removes the second factor of an address. Returns whether there was one. May be repeated. */
  removeSecondFactor: ({ email }: Named) => removeSecondFactor(normalizeEmail(email)),
  *createKey({ email, ...rest }: Named & Omit<NewKey, 'customerId'>): Sql<CreatedKey> {
    const { id: customerId } = yield* findCustomer(email);
    return yield* createKey({ ...rest, customerId });
  },
  capKey,
  setKeyLanes,
  setKeyRates,
  revokeKey: (input: Reasoned & { prefix: string; at: number }) => revokeKey(input),
  rotateKey,
  /** Adds credit. Throws as its function does, and `usage` for a deleted customer. */
  *topUp({ email, ...rest }: Named & Omit<TopUp, 'customerId'>): Sql<number> {
    const { id: customerId } = yield* findCustomer(email);
    yield* lockCustomer(customerId);
    assertNotDeleted(yield* customerOf(customerId));
    return yield* topUp({ ...rest, customerId });
  },
  takeBackCredit,
  refundSearch,
  refundRequests,
  /** Applies the events of one payment, or in a dry run says what they would do. May be repeated. */
  recordReconciled: ({
    dryRun,
    ...payment
  }: {
    events: readonly PaymentEvent[];
    dryRun: boolean;
    now: number;
  }): Sql<EventResult[]> =>
    dryRun ? withoutTrace(recordReconciled(payment)) : recordReconciled(payment),
  setAlerts,
  addOperator,
  linkOperator,
  removeOperator,
  keepAudit,
  /** Writes to the trail that an update of the index is started, or stopped. */
  *noteIndexChange(_change: IndexChange): Sql<void> {},
};

/** Runs work, and undoes what it changed. */
function* withoutTrace<Result>(work: Sql<Result>): Sql<Result> {
  yield* query('SAVEPOINT dry_run');
  const result = yield* work;
  yield* query('ROLLBACK TO SAVEPOINT dry_run');
  return result;
}

/** A change, named by its function, its input, and who makes it. Cloned between threads. */
export interface OperatorChange {
  name: keyof typeof operatorChanges;
  input: unknown;
  by: OperatorIdentity;
  /** When. */
  at: number;
}

/**
 * Makes a change and adds it to the trail, all or nothing. Throws `already_submitted` if the same
 * idempotency key made one before, `signed_out` if the session of who makes it has ended, and what the
 * change itself throws.
 */
export function* changeAsOperator({ name, input, by, at }: OperatorChange): Sql<unknown> {
  const change = operatorChanges[name] as (input: unknown) => Sql<unknown>;
  const describe = trailEntries[name] as (
    input: unknown,
    result: unknown,
  ) => TrailEntry | undefined;
  if (by.session !== undefined) yield* assertOperatorSession(by.session);
  yield* assertNotSubmitted(by);
  const result = yield* change(input);
  const entry = describe(input, result);
  if (entry !== undefined) yield* addAction({ ...by, at, entry });
  return result;
}
