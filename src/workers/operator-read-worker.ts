/** The role of a thread that reads accounts for the operator, with its own connection. */
import { type OperatorRead, readAsOperator } from '../store/accounts/operator-reads.ts';
import type { OpenOptions } from '../store/database/connect.ts';
import type { Connection } from '../store/database/connection.ts';
import { openStoreForReading } from '../store/open.ts';

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
