/** What the index contains, counted from the facets of all documents. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { flags } from '../facets/facets.ts';
import { type IndexSummary, summarize } from '../facets/index-summary.ts';
import type { IndexTotals } from '../index-facts.ts';

type Counted = 'year' | 'sources' | 'language' | 'field';

/** `updatedAt` is when the last build ended. */
export async function readSummary(
  { query }: Queries,
  totals: IndexTotals,
  updatedAt: number | undefined,
): Promise<IndexSummary> {
  // In one pass over the table. In each row, all but one of the columns are null.
  const rows = await query<Record<Counted, number | null> & { documents: number }>(
    `SELECT year, sources, language, field, count(*) AS documents FROM document_facets
     WHERE (flags & ${flags.exists}) <> 0
     GROUP BY GROUPING SETS ((year), (sources), (language), (field))`,
  );
  const countsOf = (column: Counted): Map<number, number> => {
    const counts = new Map<number, number>();
    // Several servers return rows of their own.
    for (const { [column]: value, documents } of rows) {
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + documents);
    }
    return counts;
  };
  return summarize(totals, {
    ofYear: countsOf('year'),
    ofBits: countsOf('sources'),
    ofLanguage: countsOf('language'),
    ofField: countsOf('field'),
    updatedAt,
  });
}
