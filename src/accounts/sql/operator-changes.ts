/** What operators change, each with its entry in the trail. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
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
import {
  addCustomer,
  customerOf,
  findCustomer,
  normalizeEmail,
  setNamedCustomerLanes,
} from './customers.ts';
import { disableCustomer, enableCustomer } from './disable-customer.ts';
import { addFirstCustomer } from './insert-first-customer.ts';
import { keepAudit } from './kept-audits.ts';
import { refundSearch, type TopUp, topUp } from './ledger.ts';
import { ownerOf } from './member-rows.ts';
import { addAction, assertNotSubmitted, type OperatorIdentity } from './operator-trail.ts';
import { addOperator, assertOperatorSession, linkOperator, removeOperator } from './operators.ts';
import { findLogin } from './passwords.ts';
import { recordReconciled } from './payment-events.ts';
import { removeSecondFactor } from './second-factor-rows.ts';
import { createLink } from './sign-in-links.ts';
import { type IndexChange, type TrailEntry, trailEntries } from './trail-entries.ts';

/** A customer who is named by an address. */
interface Named {
  email: string;
}

/** Each function throws what the method of its name in operator-store.ts rejects with. */
const changes = {
  addCustomer(
    db: Connection,
    input: Named & { credits?: number | undefined; linkExpiresAt: number; now: number },
  ) {
    const { email, credits, linkExpiresAt, now } = input;
    const { id: customerId } = addCustomer(db, { email, now });
    const memberId = ownerOf(db, customerId);
    const link = createLink(db, { memberId, expiresAt: linkExpiresAt });
    if (credits !== undefined) topUp(db, { customerId, credits, now });
    const customer = findCustomer(db, email);
    return { customer, email: customer.email, link };
  },
  addFirstCustomer,
  createLink(db: Connection, { email, expiresAt }: Named & { expiresAt: number }) {
    const login = findLogin(db, normalizeEmail(email));
    if (login === undefined) {
      throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
    }
    const customer = customerOf(db, login.customerId);
    if (customer.disabledAt !== null) {
      throw new VerbatimError('usage', `the customer ${customer.email} is disabled`);
    }
    const link = createLink(db, { memberId: login.memberId, expiresAt });
    return { customer, email: login.email, link };
  },
  setCustomerLanes: setNamedCustomerLanes,
  disableCustomer,
  enableCustomer,
  removeSecondFactor: (db: Connection, { email }: Named): boolean =>
    removeSecondFactor(db, normalizeEmail(email)),
  createKey: (db: Connection, { email, ...rest }: Named & Omit<NewKey, 'customerId'>): CreatedKey =>
    createKey(db, { ...rest, customerId: findCustomer(db, email).id }),
  capKey,
  setKeyLanes,
  setKeyRates,
  revokeKey,
  rotateKey,
  topUp: (db: Connection, { email, ...rest }: Named & Omit<TopUp, 'customerId'>): number =>
    topUp(db, { ...rest, customerId: findCustomer(db, email).id }),
  refundSearch,
  recordReconciled,
  addOperator,
  linkOperator,
  removeOperator,
  keepAudit,
  noteIndexChange: (_db: Connection, _input: IndexChange): void => {},
};

type Changes = typeof changes;
export type OperatorChangeName = keyof Changes;
export type OperatorChangeInput<Name extends OperatorChangeName> = Parameters<Changes[Name]>[1];
export type OperatorChangeResult<Name extends OperatorChangeName> = ReturnType<Changes[Name]>;

/** A change, named by its function, its input, and who makes it. Cloned between threads. */
export interface OperatorChange {
  name: OperatorChangeName;
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
export function changeAsOperator(db: Connection, { name, input, by, at }: OperatorChange): unknown {
  const change = changes[name] as (db: Connection, input: unknown) => unknown;
  const describe = trailEntries[name] as (
    input: unknown,
    result: unknown,
  ) => TrailEntry | undefined;
  return db
    .transaction(() => {
      if (by.session !== undefined) assertOperatorSession(db, by.session);
      assertNotSubmitted(db, by);
      const result = change(db, input);
      const entry = describe(input, result);
      if (entry !== undefined) addAction(db, { ...by, at, entry });
      return result;
    })
    .immediate();
}
