/** What the operator does with accounts in an SQLite file. */
import {
  changeAsOperator,
  type OperatorChangeInput,
  type OperatorChangeName,
  type OperatorChangeResult,
} from '../../store/accounts/operator-changes.ts';
import {
  type OperatorReadInput,
  type OperatorReadName,
  type OperatorReadResult,
  readAsOperator,
} from '../../store/accounts/operator-reads.ts';
import type { OperatorIdentity } from '../../store/accounts/operator-trail.ts';
import type { Connection } from '../../store/database/connection.ts';

<<<<<<< HEAD

import type { WriteAccounts } from '../../workers/ledger-writer.ts';
import type { OperatorReadPool } from '../../workers/operator-read-pool.ts';
import type { OperatorStore } from '../operator-store.ts';

=======

import type { LinkedCustomer, OperatorStore } from '../operator-store.ts';

>>>>>>> main

/** How the file is reached. */
interface Access {
  read<Name extends OperatorReadName>(
    name: Name,
    input: OperatorReadInput<Name>,
  ): Promise<OperatorReadResult<Name>>;
  change<Name extends OperatorChangeName>(
    name: Name,
    input: OperatorChangeInput<Name>,
  ): Promise<OperatorChangeResult<Name>>;
}

/**
 * For a command, on a connection of its own: beside a server, if one runs. Writes wait for the lock of
 * the file, as the connection says.
 */
export function createSqliteOperator(db: Connection, by: OperatorIdentity): OperatorStore {
  return createOperator({
    read: async (name, input) => readAsOperator(db, { name, input }) as never,
    change: async (name, input) =>
      changeAsOperator(db, { name, input, by, at: Date.now() }) as never,
  });
}

/** For a server: changes in the ledger's thread, reads in threads of their own. */
export function createServedOperator(
  { reads, write }: { reads: Pick<OperatorReadPool, 'run'>; write: WriteAccounts },
  by: OperatorIdentity,
): OperatorStore {
  return createOperator({
    read: async (name, input) => (await reads.run({ name, input })) as never,
    change: async (name, input) =>
      (await write('changeAsOperator', { name, input, by, at: Date.now() })) as never,
  });
}

function createOperator({ read, change }: Access): OperatorStore {
  return {
<<<<<<< HEAD
    addCustomer: (given) => change('addCustomer', given),
    addFirstCustomer: (given) => change('addFirstCustomer', given),
    createLink: (given) => change('createLink', given),
    listCustomers: () => read('listCustomers', undefined),
    searchCustomers: (given) => read('searchCustomers', given),
    showCustomer: (given) => read('showCustomer', given),
    setCustomerLanes: (given) => change('setCustomerLanes', given),
    disableCustomer: (given) => change('disableCustomer', given),
    enableCustomer: (given) => change('enableCustomer', given),
    removeSecondFactor: (given) => change('removeSecondFactor', given),
    createKey: (given) => change('createKey', given),
    listKeys: (given) => read('listKeys', given),
    findKey: (given) => read('findKey', given),
    capKey: (given) => change('capKey', given),
    setKeyLanes: (given) => change('setKeyLanes', given),
    setKeyRates: (given) => change('setKeyRates', given),
    revokeKey: (given) => change('revokeKey', given),
    rotateKey: (given) => change('rotateKey', given),
    topUp: (given) => change('topUp', given),
    refundSearch: (given) => change('refundSearch', given),
    listEntries: (given) => read('listEntries', given),
    audit: () => read('audit', undefined),
    listPayments: (given) => read('listPayments', given),
    recordReconciled: (given) => change('recordReconciled', given),
    listActions: (given) => read('listActions', given),
=======
    addCustomer: async (email, credits, linkExpiresAt, now ) =>
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
    showCustomer: async (email, limits, now ) =>
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
    removeSecondFactor: async (email ) =>
      changing(() => removeSecondFactor(db, normalizeEmail(email))),
    createKey: async (email, ...given ) =>
      changing(() => createKey(db, ...given, customerId: idOf(email) )),
    listKeys: async (email ) =>
      email === undefined ? listKeys(db) : inOneSnapshot(() => listKeysOf(db, idOf(email))),
    capKey: async (given) => changing(() => capKey(db, given)),
    setKeyLanes: async (given) => changing(() => setKeyLanes(db, given)),
    revokeKey: async (given) => changing(() => revokeKey(db, given)),
    rotateKey: async (given) => rotateKey(db, given),
    topUp: async (email, ...given ) =>
      changing(() => topUp(db, ...given, customerId: idOf(email) )),
    refundSearch: async (given) => refundSearch(db, given),
    listEntries: async (email, limit ) =>
      inOneSnapshot(() => listEntries(db, customerId: idOf(email), limit )),
    audit: async () => auditLedger(db),
    listPayments: async (email, limit ) =>
      inOneSnapshot(() => (
        payments: listPayments(db, {
          customerId: email === undefined ? undefined : idOf(email),
          limit,
        }),
        strays: email === undefined ? listStrayEvents(db, limit) : [],)),
    recordReconciled: async (given) => recordReconciled(db, given),
>>>>>>> main
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
