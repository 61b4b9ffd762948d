/** Removes documents with their records, as a batch of its own. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentId } from '../../types.ts';
import { lockFacts } from './facts.ts';
import { collectChanges } from './pending-changes.ts';
import { readNumbers } from './read-documents.ts';
import { readRecordsOf } from './sources.ts';
import { writeChanges } from './write-changes.ts';

/** Call it in a transaction. Unknown ids do no harm. */
export async function removeNamed(queries: Queries, ids: readonly DocumentId[]): Promise<void> {
  const facts = await lockFacts(queries);
  const found = (await readNumbers(queries, ids)).filter((number) => number !== undefined);
  if (found.length === 0) return;
  const { steps, pending } = collectChanges(facts);
  for (const [number, records] of await readRecordsOf(queries, found)) {
    for (const stored of records) steps.removeRecord(stored);
    steps.removeDocument(number);
  }
  await writeChanges(queries, pending, facts);
}
