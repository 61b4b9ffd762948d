/** What the index contains, counted from the facets of all documents. */
import { flags } from '../../index/facets/facets.ts';
import { type IndexSummary, summarize } from '../../index/facets/index-summary.ts';
import type { IndexTotals } from '../../index/index-facts.ts';
import type { Queries } from '../../postgres/database.ts';

/** `updatedAt` is when the last build ended. */
export async function readSummary(
  { query }: Queries,
  totals: IndexTotals,
  updatedAt: number | undefined,
): Promise<IndexSummary> {
  const rows = await query<{ year: number; sources: number; documents: number }>(
    `SELECT year, sources, count(*) AS documents FROM document_facets
     WHERE (flags & ${flags.exists}) <> 0 GROUP BY year, sources`,
  );
  const ofYear = new Map<number, number>();
  const ofBits = new Map<number, number>();
  for (const { year, sources, documents } of rows) {
    ofYear.set(year, (ofYear.get(year) ?? 0) + documents);
    ofBits.set(sources, (ofBits.get(sources) ?? 0) + documents);
  }
  return summarize(totals, { ofYear, ofBits, updatedAt });
}

/** When the last build ended, or began if it has not ended; undefined if there was none. */
export async function readLastBuild({ query }: Queries): Promise<number | undefined> {
  const [row] = await query<{ at: number }>(
    'SELECT coalesce(ended_at, started_at) AS at FROM index_builds ORDER BY number DESC LIMIT 1',
  );
  return row?.at;
}
