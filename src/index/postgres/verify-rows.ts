/** Checks the rows that only PostgreSQL has, and that no table has rows of other documents. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { SentenceSpan } from '../../types.ts';
import { dequantizeOwn, ownVectorOf } from '../dense/embeddings.ts';
import { allKeysOf } from '../documents/title-index.ts';
import { decodeForwardEntry } from '../forward-index.ts';
import { decodeTermVector, encodeTermVector } from '../lexical/term-vectors.ts';
import type { ReportProblem } from '../verify/verify-merged.ts';
import { storedTermsOf } from './batch-counts.ts';
import type { VerifiedRow } from './document-pages.ts';
import { type IndexFacts, modelOf } from './facts.ts';
import { rowsOf, toJson } from './rows.ts';

/** Components of 16 bits differ from their numbers by less. */
const COMPONENT_TOLERANCE = 0.001;
/** Tables with one row of each document. */
const ONE_ROW_TABLES = ['forward_index', 'vectors', 'document_facets'];

export interface RowsCheck {
  document(row: VerifiedRow, spans: readonly SentenceSpan[]): void;
  /** Compares the keys of titles of some documents. */
  titleKeys(rows: readonly VerifiedRow[]): Promise<void>;
  /** Finds what belongs to no document. Call it after all documents. */
  finish(): Promise<void>;
}

export function createRowsCheck(
  { query }: Queries,
  { facts, problem }: { facts: IndexFacts; problem: ReportProblem },
): RowsCheck {
  let documents = 0;
  let titleKeys = 0;
  let recent = 0;
  const countOf = async (table: string): Promise<number> => {
    const [row] = await query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
    return row?.count ?? 0;
  };
  return {
    document(row, spans) {
      documents++;
      if (row.number % facts.shards !== row.shard) {
        problem(`${row.id} is in partition ${row.shard}, and belongs to another one`);
      }
      if (!isOwnVector(row, facts)) problem(`${row.id}: its vector is not that of its entry`);
      if (row.number > facts.indexedUpTo) {
        recent++;
        const terms = storedTermsOf(
          decodeTermVector(encodeTermVector(row.title, row.abstract, spans)),
        );
        if (String(terms) !== String(row.recent)) {
          problem(`${row.id}: its recent terms are not those of its text`);
        }
      } else if (row.recent !== null) {
        problem(`${row.id} is in the postings and has recent terms, too`);
      }
    },
    async titleKeys(rows) {
      const wanted = rows.flatMap(({ number, title }) =>
        allKeysOf(title).map((key) => ({ key, document: number })),
      );
      titleKeys += wanted.length;
      const missing = await query<{ document: number }>(
        `SELECT DISTINCT r.document FROM ${rowsOf('title_keys')} r WHERE NOT EXISTS
           (SELECT FROM title_keys k WHERE k.key = r.key AND k.document = r.document)`,
        [toJson(wanted)],
      );
      for (const { document } of missing) {
        const { id } = rows.find(({ number }) => number === document) as VerifiedRow;
        problem(`${id}: a key of its title is missing`);
      }
    },
    async finish() {
      for (const table of ONE_ROW_TABLES) {
        const extra = (await countOf(table)) - documents;
        if (extra > 0) problem(`rows of ${table} without a document: ${extra}`);
      }
      const extraTerms = (await countOf('recent_terms')) - recent;
      if (extraTerms > 0) problem(`rows of recent_terms without a document: ${extraTerms}`);
      const extraKeys = (await countOf('title_keys')) - titleKeys;
      if (extraKeys > 0) problem(`keys of titles without a document: ${extraKeys}`);
      const twice = await query<{ id: string }>(
        'SELECT id FROM documents GROUP BY id HAVING count(*) > 1 LIMIT 10',
      );
      for (const { id } of twice) problem(`several documents have the id ${id}`);
    },
  };
}

function isOwnVector({ entry, own }: VerifiedRow, facts: IndexFacts): boolean {
  const model = modelOf(facts);
  if (own === null || entry === null || model === undefined) return false;
  const stored = JSON.parse(own) as number[];
  const { vectors } = decodeForwardEntry(entry);
  const expected = dequantizeOwn(ownVectorOf(vectors, model.dimensions));
  return (
    stored.length === expected.length &&
    stored.every((one, at) => Math.abs(one - (expected[at] as number)) < COMPONENT_TOLERANCE)
  );
}
