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
    keepAudit: (given) => change('keepAudit', given),
    noteIndexChange: (given) => change('noteIndexChange', given),
    listKeptAudits: (given) => read('listKeptAudits', given),
    readOutcomes: (given) => read('readOutcomes', given),
    readMoney: (given) => read('readMoney', given),
    listPaymentsToLookAt: (given) => read('listPaymentsToLookAt', given),
    listPayments: (given) => read('listPayments', given),
    recordReconciled: (given) => change('recordReconciled', given),
    listActions: (given) => read('listActions', given),
    addOperator: (given) => change('addOperator', given),
    linkOperator: (given) => change('linkOperator', given),
    removeOperator: (given) => change('removeOperator', given),
    listOperators: (given) => read('listOperators', given),
  };
}
