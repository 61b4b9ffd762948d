/** The role of a thread that reads accounts for the operator, with its own connection. */

import { openStoreForReading } from '../../database/open.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { type OperatorRead, readAsOperator } from '../sqlite/ledger/read-as-operator.ts';

export interface OperatorReadWorkerOptions {
  store: OpenOptions;
}

export function createOperatorReadHandler({
  store,
}: OperatorReadWorkerOptions): (read: OperatorRead) => unknown {
  let db: Connection | undefined;
  return (read) => {
    db ??= openStoreForReading(store);
    return readAsOperator(db, read);
  };
}
