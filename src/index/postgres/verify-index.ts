/**
 * Checks that an index on PostgreSQL is consistent: documents with all that is derived from them, in
 * pages; then what spans documents. It reads everything once, in bounded memory.
 */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { decodeSpans } from '../sentence-spans.ts';
import { createForwardIndexCheck } from '../verify/verify-forward-index.ts';
import type { VerifyReport } from '../verify/verify-index.ts';
import { attempt, type ReportProblem } from '../verify/verify-merged.ts';
import { createPostingsCheck } from '../verify/verify-postings.ts';
import { verifyText } from '../verify/verify-text.ts';
import { documentPages } from './document-pages.ts';
import { type IndexFacts, modelOf, readFacts } from './facts.ts';
import { createRecordsCheck } from './verify-records.ts';
import { createRowsCheck } from './verify-rows.ts';

export interface VerifyIndexOptions {
  problemsMax: number;
  /** Gets the number of verified documents. */
  onProgress: (done: number) => void;
}

/** Call it with a snapshot. */
export async function verifyIndex(
  queries: Queries,
  { problemsMax, onProgress }: VerifyIndexOptions,
): Promise<VerifyReport> {
  const report: VerifyReport = { documents: 0, sentences: 0, problems: [] };
  const problem: ReportProblem = (text) => {
    if (report.problems.length < problemsMax) report.problems.push(text);
  };
  const facts = await readFacts(queries);
  const postings = createPostingsCheck(facts.indexedUpTo, problem);
  const dimensions = modelOf(facts)?.dimensions ?? 0;
  const onTerms = postings.document;
  const forwardIndex = createForwardIndexCheck({ dimensions, problem, onTerms });
  const rows = createRowsCheck(queries, { facts, problem });
  const records = createRecordsCheck(queries, { facts, problem });
  for await (const page of documentPages(queries)) {
    for (const row of page) {
      const spans = decodeSpans(row.sentence_spans);
      report.documents++;
      report.sentences += spans.length;
      attempt(`${row.id}: what is stored of it cannot be decoded`, problem, () => {
        verifyText(row, spans, problem);
        forwardIndex.document({ ...row, spans, forwardEntry: row.entry });
        rows.document(row, spans);
      });
    }
    await rows.titleKeys(page);
    await records.documents(page);
    onProgress(report.documents);
  }
  await verifyCounts(queries, forwardIndex);
  await verifyPostings(queries, postings, { facts, problem });
  await rows.finish();
  await records.finish();
  const { documents, sentences } = report;
  verifyTotals(facts, { documents, sentences, terms: forwardIndex.terms() }, problem);
  return report;
}

async function verifyCounts(
  { query }: Queries,
  check: ReturnType<typeof createForwardIndexCheck>,
): Promise<void> {
  const rows = await query<{ term: number; documents: number }>(
    'SELECT term, documents FROM term_counts',
  );
  for (const { term, documents } of rows) check.count(term >>> 0, documents);
  check.finish();
}

/** Terms whose blocks are in memory at a time: the range of terms is read in this many steps. */
const TERM_STEPS = 1024;
const TERMS = 2 ** 32;

async function verifyPostings(
  { query }: Queries,
  check: ReturnType<typeof createPostingsCheck>,
  { facts: { shards }, problem }: { facts: IndexFacts; problem: ReportProblem },
): Promise<void> {
  const width = TERMS / TERM_STEPS;
  for (let first = -TERMS / 2; first < TERMS / 2; first += width) {
    const rows = await query<{ shard: number; term: number; block: number; documents: Buffer }>(
      'SELECT shard, term, block, documents FROM postings WHERE term BETWEEN $1 AND $2',
      [first, first + width - 1],
    );
    for (const { shard, term, block, documents } of rows) {
      if (shard >= shards) problem(`postings of term ${term >>> 0} are in partition ${shard}`);
      check.block({ term: term >>> 0, block, documents });
    }
  }
  check.finish();
}

function verifyTotals(
  facts: IndexFacts,
  counted: { documents: number; sentences: number; terms: number },
  problem: ReportProblem,
): void {
  for (const name of ['documents', 'sentences', 'terms'] as const) {
    if (facts[name] === counted[name]) continue;
    problem(`the index has ${counted[name]} ${name}, but index_facts says ${facts[name]}`);
  }
}
