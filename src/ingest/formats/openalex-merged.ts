/**
 * OpenAlex's lists of works merged into others (merged_ids/works of its snapshot): a table of
 * merge_date, id, merge_into_id. The remaining work has a record of its own. The partition in which a
 * merged work came may be read later, or again, so the index remembers it.
 */

import { identifiersOf } from '../../identity/identifiers.ts';
import { headerOf, readTable } from '../plain-text/table.ts';
import type { Format } from '../read/packed-format.ts';

export const openalexMergedFormat: Format = {
  name: 'openalex-merged',
  description: "OpenAlex's lists of merged works: merge_date,id,merge_into_id",
  recognizes: ({ text }) => {
    const { columns } = headerOf(text);
    return columns.includes('id') && columns.includes('mergeintoid');
  },
  async *entries(source, limits) {
    const { columns, rows } = await readTable(source, limits);
    const column = columns.indexOf('id');
    for await (const row of rows) {
      if ('problem' in row) {
        yield row;
        continue;
      }
      const { line, cells } = row;
      const openalex = cells[column];
      const deletion = identifiersOf({ openalex });
      if (deletion.openalex !== undefined) yield { line, deletion, isMerged: true };
      else {
        const problem = `not a work of OpenAlex: ${JSON.stringify(openalex)?.slice(0, 40)}`;
        yield { line, problem, reason: 'not_a_paper' };
      }
    }
  },
};
