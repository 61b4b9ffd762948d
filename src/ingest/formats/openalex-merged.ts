/**
 * OpenAlex's lists of works that it no longer has. Until 2025, works merged into others
 * (merged_ids/works of its snapshot): a table of merge_date, id, merge_into_id. The remaining work has a
 * record of its own. The partition in which a merged work came may be read later, or again, so the
 * index remembers it. Since 2026, all deleted works of all times (deleted_ids.csv): a table of work_id,
 * deleted_date. They are too many to remember, and a snapshot with the list does not have them.
 */

import { identifiersOf } from '../../identity/identifiers.ts';
import { headerOf, readTable } from '../plain-text/table.ts';
import type { Format } from '../read/packed-format.ts';

export const openalexMergedFormat: Format = {
  name: 'openalex-merged',
  description:
    "OpenAlex's lists of merged or deleted works: merge_date,id,merge_into_id or work_id,deleted_date",
  recognizes: ({ text }) => {
    const { columns } = headerOf(text);
    return isOfMerged(columns) || (columns.includes('workid') && columns.includes('deleteddate'));
  },
  async *entries(source, limits) {
    const { columns, rows } = await readTable(source, limits);
    const isMerged = isOfMerged(columns);
    const column = columns.indexOf(isMerged ? 'id' : 'workid');
    for await (const row of rows) {
      if ('problem' in row) {
        yield row;
        continue;
      }
      const { line, cells } = row;
      const openalex = cells[column];
      const deletion = identifiersOf({ openalex });
      if (deletion.openalex !== undefined) {
        yield isMerged ? { line, deletion, isMerged } : { line, deletion };
      } else {
        const problem = `not a work of OpenAlex: ${JSON.stringify(openalex)?.slice(0, 40)}`;
        yield { line, problem, reason: 'not_a_paper' };
      }
    }
  },
};

function isOfMerged(columns: readonly string[]): boolean {
  return columns.includes('id') && columns.includes('mergeintoid');
}
