/**
 * How PostgreSQL runs what a search reads: in each partition by an index of its own, and no vector
 * leaves it. Small tables are cheaper to scan, so scans are switched off to see what is possible.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadIndex } from '../../scripts/postgres-index/load-index.ts';
import { openStore } from '../../src/database/open.ts';
import { type Database, openDatabase } from '../../src/database/postgres/postgres-database.ts';
import type { Value } from '../../src/database/sql/sql.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { claimModel } from '../../src/index/index-facts.ts';
import { extendPostings } from '../../src/index/lexical/extend-postings.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { createPostgresSource } from '../../src/index/postgres/postgres-source.ts';
import { readSettings } from '../../src/settings/config.ts';
import { termOf } from '../../src/text/terms.ts';
import { corpus } from './conformance/source/source-under-test.ts';
import { toyModel, toyVector } from './memory-index.ts';
import { arrive } from './toy-incoming-records.ts';
import { DATABASE_LIMITS as LIMITS, startVectorCluster } from './vector-cluster.ts';

const SHARDS = 3;

const cluster = await startVectorCluster();
let plans: { sql: string; plan: string }[];

/** Notes the plan of each statement that a view runs. */
function explaining(database: Database, noted: typeof plans): Database {
  return {
    ...database,
    view: (opening, work) =>
      database.view(`SET LOCAL enable_seqscan = off; ${opening}`, ({ query }, rows) =>
        work(
          {
            async query<Row>(text: string, values?: readonly Value[]) {
              const lines = await query<{ 'QUERY PLAN': string }>(
                `EXPLAIN (VERBOSE, COSTS off) ${text}`,
                values,
              );
              noted.push({ sql: text, plan: lines.map((line) => line['QUERY PLAN']).join('\n') });
              return query<Row>(text, values);
            },
          },
          rows,
        ),
      ),
  };
}

beforeAll(async () => {
  if (cluster === undefined) return;
  const options = { url: cluster.url, ...LIMITS };
  const writing = await openIndexDatabase({ ...options, shards: SHARDS, vectorIndex: 'halfvec' });
  const db = openStore({ path: ':memory:', lockWaitMs: 0 });
  claimModel(db, toyModel);
  const writer = createIndexWriter(db);
  for (const record of corpus.records) arrive(writer, record);
  for (const _ of extendPostings(db));
  for (const record of corpus.later) arrive(writer, record);
  await loadIndex(db, writing, { shards: SHARDS, vectorIndex: 'halfvec' });
  db.close();
  await writing.close();
  const limits = {
    ...readSettings({ exactScanMax: 0, filteredExactMax: 1 }, {}),
    hnswSearched: 40,
  };
  plans = [];
  const source = createPostgresSource(explaining(openDatabase(options), plans), limits);
  await source.view(async (view) => {
    const word = { word: 'moon', term: termOf('moon'), frequency: 9, weight: 1 };
    const { documents } = await view.matchWords([word]);
    const query = { vector: toyVector('moon'), most: 10, documents };
    const { nearest, scoresIn } = await view.nearest(query);
    await scoresIn([...documents]);
    const numbers = nearest.map(({ document }) => document);
    await view.statistics([word.term]);
    await view.forwardEntries(numbers);
    await view.documents(numbers);
    await view.merged(numbers);
    await view.titles(numbers);
    await view.withIds(['paper-1']);
    await view.withKeys([['doi:10.5555/tides']]);
    await view.withTitle('On soil and light', 3);
    const allowed = await view.allowed({ years: { from: 2001, to: 2003 } });
    await view.nearest({ ...query, allowed });
    await view.allowed({ authors: ['Ana Silva'] });
    await view.allowed({ doiPrefixes: ['10.5555/', '10.1371/journal'] });
  });
  await source.close();
});

afterAll(() => cluster?.stop());

function planOf(part: string): string {
  return plans.find(({ sql }) => sql.includes(part))?.plan ?? '';
}

/** A vector that is not compared with another one. */
const BARE_VECTOR = /\bown\b(?! <#>)/;

/** What the nodes of a plan that compute something return, from the top. */
function outputsOf(plan: string): string[] {
  return [...plan.matchAll(/^\s*Output: (.*)$/gm)].map(([, output]) => output as string);
}

/** The lines of a plan that read a table of a partition, without their indent. */
function readsOf(plan: string, table: string): string[] {
  const pattern = new RegExp(` on public\\.${table}_\\d`);
  return plan.split('\n').flatMap((line) => (pattern.test(line) ? [line.trim()] : []));
}

describe.skipIf(cluster === undefined)('what a search reads from PostgreSQL', () => {
  it('nearest vectors: each partition orders by its own HNSW index, and they are merged', () => {
    const plan = planOf('FROM vectors v   ORDER BY');
    const reads = readsOf(plan, 'vectors');
    expect(reads).toHaveLength(SHARDS);
    for (const [shard, line] of reads.entries()) {
      expect(line).toContain(`Index Scan using vectors_${shard}_own_idx`);
    }
    expect(plan).toContain('Merge Append');
    expect(plan).not.toContain('->  Sort');
    // A partition passes on a document, a score, and what it is ordered by.
    expect(outputsOf(plan)).toHaveLength(SHARDS + 1);
    for (const output of outputsOf(plan)) expect(output).not.toMatch(BARE_VECTOR);
  });

  it.each([
    ['single scores', 'AS score FROM vectors\n', 'vectors'],
    ['forward index entries', 'FROM forward_index', 'forward_index'],
    ['documents', 'AS spans\n', 'documents'],
    ['documents by id', 'WHERE id = ANY', 'documents'],
    ['postings', 'FROM postings', 'postings'],
    ['records', 'WHERE r.document = ANY', 'source_records'],
    ['keys', 'FROM record_keys', 'record_keys'],
    ['titles', 'FROM title_keys', 'title_keys'],
    ['authors', 'FROM author_keys', 'author_keys'],
    ['beginnings of DOIs', 'AS p (first, last)', 'documents'],
  ])('%s: each partition by an index', (_, part, table) => {
    const reads = readsOf(planOf(part), table);
    expect(reads.length).toBeGreaterThanOrEqual(SHARDS);
    expect(reads.filter((line) => !/Index|Heap Scan/.test(line))).toEqual([]);
  });

  it('no statement returns a vector', () => {
    expect(plans.length).toBeGreaterThan(12);
    for (const { sql, plan } of plans) {
      expect(outputsOf(plan)[0], sql).not.toMatch(BARE_VECTOR);
    }
  });
});
