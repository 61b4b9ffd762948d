/** Plans changes of the index in an SQLite file. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import {
  documentsOf,
  type IncomingRecord,
  keysOfIncomingRecord,
  type Plan,
  type PlannedFrom,
  planChange,
} from './plan-change.ts';
import { createRecordTable } from './records.ts';
import { prepareFindFile } from './source-files.ts';
import { isNewFile } from './stored-records.ts';

export type Planner = (incoming: IncomingRecord) => Plan;

/** Returns a function that plans with what is stored in the view that the connection sees. */
export function createPlanner(db: Connection): Planner {
  const table = createRecordTable(db);
  const read = db.prepare(
    `SELECT number, id, title, abstract, content_hash AS hash, reason
     FROM documents LEFT JOIN withheld_documents ON document = number WHERE number = ?`,
  );
  const readDocument = (number: DocumentNumber): PlannedFrom => read.get(number) as PlannedFrom;
  const findFile = prepareFindFile(db);
  return (incoming) => {
    const gathered = table.gather(keysOfIncomingRecord(incoming));
    const documents = documentsOf(gathered?.records ?? []).map(readDocument);
    const file = 'record' in incoming ? incoming.file : null;
    const number = isNewFile(file) ? findFile(file) : undefined;
    return planChange(incoming, { gathered, documents, file: number });
  };
}
