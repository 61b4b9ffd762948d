/** What the operator does with accounts in an SQLite file. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { OperatorReadPool } from '../ledger-thread/operator-read-pool.ts';
import type { OperatorStore } from '../ports/operator-store.ts';
import {
  changeAsOperator,
  type OperatorChangeInput,
  type OperatorChangeName,
  type OperatorChangeResult,
} from '../sql/operator-changes.ts';
import {
  type OperatorReadInput,
  type OperatorReadName,
  type OperatorReadResult,
  readAsOperator,
} from '../sql/operator-reads.ts';
import type { OperatorIdentity } from '../sql/operator-trail.ts';

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
    addCustomer: (input) => change('addCustomer', input),
    addFirstCustomer: (input) => change('addFirstCustomer', input),
    createLink: (input) => change('createLink', input),
    listCustomers: () => read('listCustomers', undefined),
    searchCustomers: (input) => read('searchCustomers', input),
    showCustomer: (input) => read('showCustomer', input),
    setCustomerLanes: (input) => change('setCustomerLanes', input),
    disableCustomer: (input) => change('disableCustomer', input),
    enableCustomer: (input) => change('enableCustomer', input),
    removeSecondFactor: (input) => change('removeSecondFactor', input),
    createKey: (input) => change('createKey', input),
    listKeys: (input) => read('listKeys', input),
    findKey: (input) => read('findKey', input),
    capKey: (input) => change('capKey', input),
    setKeyLanes: (input) => change('setKeyLanes', input),
    setKeyRates: (input) => change('setKeyRates', input),
    revokeKey: (input) => change('revokeKey', input),
    rotateKey: (input) => change('rotateKey', input),
    topUp: (input) => change('topUp', input),
    refundSearch: (input) => change('refundSearch', input),
    listEntries: (input) => read('listEntries', input),
    audit: () => read('audit', undefined),
    keepAudit: (input) => change('keepAudit', input),
    noteIndexChange: (input) => change('noteIndexChange', input),
    listKeptAudits: (input) => read('listKeptAudits', input),
    readOutcomes: (input) => read('readOutcomes', input),
    readMoney: (input) => read('readMoney', input),
    listPaymentsToReview: (input) => read('listPaymentsToReview', input),
    listPayments: (input) => read('listPayments', input),
    recordReconciled: (input) => change('recordReconciled', input),
    listActions: (input) => read('listActions', input),
    addOperator: (input) => change('addOperator', input),
    linkOperator: (input) => change('linkOperator', input),
    removeOperator: (input) => change('removeOperator', input),
    listOperators: (input) => read('listOperators', input),
  };
}
