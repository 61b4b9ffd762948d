/** What the operator does with accounts in an SQLite file. */

import { bind } from '../../database/sql/bind.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { changeOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { OperatorReadPool } from '../ledger-thread/operator-read-pool.ts';
import type { OperatorStore } from '../ports/operator-store.ts';
import type { AuditReport } from '../sql/kept-audits.ts';
import { changeAsOperator, type OperatorChange, operatorChanges } from '../sql/operator-changes.ts';
import { operatorReads } from '../sql/operator-reads.ts';
import type { OperatorIdentity } from '../sql/operator-trail.ts';
import { type OperatorRead, readAsOperator } from './ledger/read-as-operator.ts';

/** How the file is reached. */
interface Access {
  read(read: OperatorRead): Promise<unknown>;
  change(change: OperatorChange): Promise<unknown>;
}

/**
 * For a command, on a connection of its own: beside a server, if one runs. Writes wait for the lock of
 * the file, as the connection says.
 */
export function createSqliteOperator(db: Connection, by: OperatorIdentity): OperatorStore {
  return createOperator(by, {
    read: async (read) => readAsOperator(db, read),
    change: async (change) => changeOnSqlite(db, changeAsOperator(change)),
  });
}

/** For a server: changes in the ledger's thread, reads in threads of their own. */
export function createServedOperator(
  { reads, write }: { reads: Pick<OperatorReadPool, 'run'>; write: WriteAccounts },
  by: OperatorIdentity,
): OperatorStore {
  return createOperator(by, {
    read: reads.run,
    change: (change) => write('changeAsOperator', change),
  });
}

function createOperator(by: OperatorIdentity, { read, change }: Access): OperatorStore {
  return {
    ...bind(operatorReads, (_, name, input) => read({ name, input })),
    ...bind(operatorChanges, (_, name, input) => change({ name, input, by, at: Date.now() })),
    audit: async () => (await read({ name: 'audit' })) as AuditReport,
  };
}
