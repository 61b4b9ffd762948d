/** The numbers that documents may have, for checks that go on after a damaged page. */

import type { Connection } from '../database/sqlite/connection.ts';
import type { DocumentNumber } from '../types.ts';
import { prepareReadLastDocument } from './index-facts.ts';

/** Yields each number up to the last document's. SQLite ends a scan at the first page that it cannot read. */
export function* documentNumbers(db: Connection): Generator<DocumentNumber> {
  const last = prepareReadLastDocument(db)();
  for (let number = 1; number <= last; number++) yield number;
}
