/** What the operator does with accounts in an SQLite file, on a connection of the command itself. */
import { VerbatimError } from '../../errors.ts';
import {
  capKey,
  createKey,
  listKeys,
  listKeysOf,
  revokeKey,
  rotateKey,
  setKeyLanes,
} from '../../store/accounts/api-keys.ts';
import { auditLedger } from '../../store/accounts/audit.ts';
import {
  addCustomer,
  customerOf,
  findCustomer,
  listCustomers,
  normalizeEmail,
  setNamedCustomerLanes,
} from '../../store/accounts/customers.ts';
import { disableCustomer, enableCustomer } from '../../store/accounts/disable-customer.ts';
import { addFirstCustomer } from '../../store/accounts/first-customer.ts';
import { listEntries, refundSearch, topUp } from '../../store/accounts/ledger.ts';
import { listMembers, ownerOf } from '../../store/accounts/members.ts';
import { listOwnKeys } from '../../store/accounts/own-keys.ts';
import { findLogin } from '../../store/accounts/passwords.ts';
import { recordReconciled } from '../../store/accounts/payment-events.ts';
import { listPayments, listStrayEvents } from '../../store/accounts/payments.ts';
import { removeSecondFactor } from '../../store/accounts/second-factors.ts';
import { countSessions } from '../../store/accounts/sessions.ts';
import { createLink } from '../../store/accounts/sign-in-links.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { LinkedCustomer, OperatorStore } from '../operator-store.ts';

/** Writes wait for the lock of the file, as the connection says. */
export function createSqliteOperator(db: Connection): OperatorStore {
  const changing = <Result>(work: () => Result): Result => db.transaction(work).immediate();
  const inOneSnapshot = <Result>(work: () => Result): Result => db.transaction(work)();
  const idOf = (email: string): number => findCustomer(db, email).id;
  return {
    addCustomer: async ({ email, credits, linkExpiresAt, now }) =>
      changing(() => {
        const { id: customerId } = addCustomer(db, { email, now });
        const link = createLink(db, {
          memberId: ownerOf(db, customerId),
          expiresAt: linkExpiresAt,
        });
        if (credits !== undefined) topUp(db, { customerId, credits, now });
        const customer = findCustomer(db, email);
        return { customer, email: customer.email, link };
      }),
    addFirstCustomer: async (given) => addFirstCustomer(db, given),
    createLink: async (given) => changing(() => linkMember(db, given)),
    listCustomers: async () => listCustomers(db),
    showCustomer: async ({ email, limits, now }) =>
      inOneSnapshot(() => {
        const customer = findCustomer(db, email);
        const { id: customerId } = customer;
        return {
          ...customer,
          members: listMembers(db, customerId),
          sessions: countSessions(db, { customerId, limits, now }),
          keys: listOwnKeys(db, { customerId, now }),
        };
      }),
    setCustomerLanes: async (given) => changing(() => setNamedCustomerLanes(db, given)),
    disableCustomer: async (given) => disableCustomer(db, given),
    enableCustomer: async (given) => enableCustomer(db, given),
    removeSecondFactor: async ({ email }) =>
      changing(() => removeSecondFactor(db, normalizeEmail(email))),
    createKey: async ({ email, ...given }) =>
      changing(() => createKey(db, { ...given, customerId: idOf(email) })),
    listKeys: async ({ email }) =>
      email === undefined ? listKeys(db) : inOneSnapshot(() => listKeysOf(db, idOf(email))),
    capKey: async (given) => changing(() => capKey(db, given)),
    setKeyLanes: async (given) => changing(() => setKeyLanes(db, given)),
    revokeKey: async (given) => changing(() => revokeKey(db, given)),
    rotateKey: async (given) => rotateKey(db, given),
    topUp: async ({ email, ...given }) =>
      changing(() => topUp(db, { ...given, customerId: idOf(email) })),
    refundSearch: async (given) => refundSearch(db, given),
    listEntries: async ({ email, limit }) =>
      inOneSnapshot(() => listEntries(db, { customerId: idOf(email), limit })),
    audit: async () => auditLedger(db),
    listPayments: async ({ email, limit }) =>
      inOneSnapshot(() => ({
        payments: listPayments(db, {
          customerId: email === undefined ? undefined : idOf(email),
          limit,
        }),
        strays: email === undefined ? listStrayEvents(db, limit) : [],
      })),
    recordReconciled: async (given) => recordReconciled(db, given),
  };
}

/** Creates a link for the member with an address. Throws `unknown_customer`, and `usage`. */
function linkMember(
  db: Connection,
  { email, expiresAt }: { email: string; expiresAt: number },
): LinkedCustomer {
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
}
