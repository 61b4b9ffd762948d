/**
 * Checks that an index on PostgreSQL is consistent: documents with all that is derived from them, in
 * pages; then what spans documents. It reads everything once, in bounded memory.
 */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber } from '../../types.ts';
import type { VerifyOptions } from '../ports/operator-index.ts';
import { createIndexCheck, startReport, type VerifyReport } from '../verify/create-index-check.ts';
import { attempt } from '../verify/verify-merged.ts';
import { modelOf, readFacts } from './facts.ts';
import { createRowsCheck, type VerifiedRow } from './verify-rows.ts';

/** Documents in memory at a time: some megabytes. */
const DOCUMENTS_PER_PAGE = 500;
/** Terms whose blocks are in memory at a time: the range of terms is read in this many steps. */
const TERM_STEPS = 1024;
const TERMS = 2 ** 32;

/** Call it with a snapshot. */
export async function verifyIndex(
  queries: Queries,
  { problemsMax, onProgress }: VerifyOptions,
): Promise<VerifyReport> {
  const { report, problem } = startReport(problemsMax);
  const facts = await readFacts(queries);
  const { indexedUpTo, shards } = facts;
  const dimensions = modelOf(facts)?.dimensions ?? 0;
  const check = createIndexCheck({ report, dimensions, indexedUpTo, problem });
  const rows = createRowsCheck(queries, { facts, problem });
  for await (const page of documentPages(queries)) {
    for (const row of page) {
      attempt(`${row.id}: what is stored of it cannot be decoded`, problem, () => {
        check.document(row);
        rows.document(row);
      });
    }
    await rows.titleKeys(page);
    await rows.records(page);
    onProgress(report.documents);
  }
  for (const { term, documents } of await queries.query<{ term: number; documents: number }>(
    'SELECT term, documents FROM term_counts',
  )) {
    check.count(term >>> 0, documents);
  }
  const width = TERMS / TERM_STEPS;
  for (let first = -TERMS / 2; first < TERMS / 2; first += width) {
    const blocks = await queries.query<PostingsRow>(
      'SELECT shard, term, block, documents FROM postings WHERE term BETWEEN $1 AND $2',
      [first, first + width - 1],
    );
    for (const { shard, term, ...block } of blocks) {
      if (shard >= shards) problem(`postings of term ${term >>> 0} are in partition ${shard}`);
      check.block({ term: term >>> 0, ...block });
    }
  }
  check.finish(facts);
  await rows.finish();
  return report;
}

interface PostingsRow {
  shard: number;
  term: number;
  block: number;
  documents: Buffer;
}

/** Yields all documents, in the order of their numbers, with what is derived from each. */
async function* documentPages({ query }: Queries): AsyncGenerator<VerifiedRow[]> {
  for (let last: DocumentNumber = 0; ; ) {
    const page = await query<VerifiedRow>(
      `SELECT d.*, f.entry AS "forwardEntry", v.own::text AS own, t.terms AS recent, w.reason,
         CASE WHEN x.document IS NOT NULL THEN ARRAY[
           x.year::bigint | (x.type::bigint << 16) | (x.flags::bigint << 24),
           x.venue::bigint & 4294967295, x.sources::bigint & 4294967295,
           x.language::bigint | (x.field::bigint << 16), x.citations::bigint]::text[] END AS facets
       FROM (SELECT * FROM documents WHERE number > $1 ORDER BY number
             LIMIT ${DOCUMENTS_PER_PAGE}) d
       LEFT JOIN forward_index f ON f.shard = d.shard AND f.document = d.number
       LEFT JOIN vectors v ON v.shard = d.shard AND v.document = d.number
       LEFT JOIN recent_terms t ON t.shard = d.shard AND t.document = d.number
       LEFT JOIN withheld_documents w ON w.shard = d.shard AND w.document = d.number
       LEFT JOIN document_facets x ON x.shard = d.shard AND x.document = d.number
       ORDER BY d.number`,
      [last],
    );
    if (page.length === 0) return;
    yield page;
    last = (page.at(-1) as VerifiedRow).number;
  }
}
