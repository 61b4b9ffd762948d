/** A database of version 0.2.0 gets the steps since then, and keeps what was in it. */
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { OLDEST_VERSION, TABLES_VERSION } from '../../../src/database/migrations/migrate-file.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { createFacetReader } from '../../../src/index/facets/allowed-documents.ts';
import { readFact } from '../../../src/index/index-facts.ts';
import { readChanges } from '../../../src/index/records/read-changes.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { openSearch } from '../../../src/search/open-search.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { openMemoryStore, rowsOf } from '../../support/accounts.ts';
import { migrateWithoutCopy, openMigrated } from './open-migrated.ts';
import { schemaOf } from './schema-of.ts';
import { createStored, papers } from './stored-databases.ts';

const QUESTION = 'how is ammonia made from nitrogen';
const ANSWER = 'sample:chemistry-haber-bosch-ammonia';

/** Tables whose rows stay, with the columns that keep their names. */
const kept = ['documents', 'members', 'ledger_entries', 'usage_days', 'signals'];
const CUSTOMERS = `SELECT id, email, balance, created_at, disabled_at, low_balance, lanes, top_up_below
  FROM customers ORDER BY id`;

const contentOf = (db: Connection): Record<string, unknown[]> =>
  Object.fromEntries([
    ['customers', rowsOf(db, CUSTOMERS)],
    ...kept.map((table) => [table, rowsOf(db, `SELECT * FROM ${table} ORDER BY 1, 2`)]),
  ]);

async function migrated(): Promise<Connection> {
  const db = await openMigrated(await createStored());
  onTestFinished(() => {
    db.close();
  });
  return db;
}

describe('a database of version 0.2.0', () => {
  it('keeps its documents, customers, keys and credit', async () => {
    const path = await createStored();
    const before = new Database(path);
    expect(before.pragma('user_version', { simple: true })).toBe(OLDEST_VERSION);
    before.exec("UPDATE api_keys SET form_copy = 'one' WHERE name = 'laptop'");
    const content = contentOf(before);
    before.close();
    const db = await openMigrated(path);
    onTestFinished(() => {
      db.close();
    });
    expect(contentOf(db)).toMatchObject(content);
    expect(content['documents']).toHaveLength(papers.length);
    const keys = `SELECT name, in_flight_max AS most, revoked_at IS NULL AS valid,
      idempotency_key AS form FROM api_keys ORDER BY id`;
    expect(rowsOf(db, keys)).toEqual([
      { name: 'old', most: null, valid: 0, form: null },
      { name: 'laptop', most: 3, valid: 1, form: 'one' },
    ]);
    expect(auditLedger(db)).toMatchObject({ customers: 2, entries: 9, differences: [] });
  });

  // Whoever changes the schema without a step, or the other way round, learns it here.
  it('gets the tables of a new one', async () => {
    const [db, made] = [await migrated(), openMemoryStore()];
    expect(schemaOf(db)).toEqual(schemaOf(made));
    expect(Object.keys(schemaOf(made)).length).toBeGreaterThan(60);
    expect(db.pragma('user_version', { simple: true })).toBe(TABLES_VERSION);
    const facts = 'SELECT name FROM index_facts';
    expect(rowsOf(db, facts)).toEqual(expect.arrayContaining(rowsOf(made, facts)));
    const rows = 'SELECT * FROM lane_answer_totals, account_place';
    expect(rowsOf(db, rows)).toEqual(rowsOf(made, rows));
  });

  it('has a sound index', async () => {
    const { documents, problems } = verifyIndex(await migrated(), { problemsMax: 10 });
    expect({ documents, problems }).toEqual({ documents: papers.length, problems: [] });
  });

  it('finds papers by the authors that each record names', async () => {
    const path = await createStored();
    const before = new Database(path);
    before.exec(`UPDATE documents SET authors = '["Ana Silva", "Bo Dahl"]' WHERE number = 1;
      UPDATE source_records SET fields = json_set(ifnull(fields, '{}'), '$.authors', json('["Núñez, C."]'))
      WHERE document = 3`);
    before.close();
    const db = await openMigrated(path);
    onTestFinished(() => {
      db.close();
    });
    const allowed = createFacetReader(db);
    const found = (author: string): number[] => {
      const { flags } = allowed({ authors: [author] });
      return [...flags.keys()].filter((document) => flags[document] === 1);
    };
    expect(found('Silva, Ana')).toEqual([1]);
    expect(found('C Nunez')).toEqual([3]);
    expect(found('Bo Berg')).toEqual([2]);
    expect(found('Verbatim sample authors')).toEqual([4, 5, 6]);
  });

  it('knows what happens to papers from then on', async () => {
    const db = await migrated();
    const list = () => ({ index: readFact(db, 'id'), ...runOnSqlite(db, readChanges(0, 9)) });
    expect(list()).toEqual({
      index: expect.stringMatching(/^[0-9a-f]{32}$/),
      last: 0,
      changes: [],
    });
    createIndexWriter(db).remove([ANSWER]);
    expect(list()).toMatchObject({ changes: [{ id: ANSWER, reason: 'removed', added: 0 }] });
  });

  it('answers a search and quotes its documents word for word', async () => {
    const path = await createStored();
    await migrateWithoutCopy(path);
    const opened = await openSearch({
      store: { path, lockWaitMs: 0 },
      model: '',
      limits: readSettings({}, {}),
    });
    onTestFinished(opened.close);
    const request = { query: QUESTION, limit: papers.length, withAbstract: false };
    const { results } = (await opened.search(request)).answer;
    expect(results[0]?.d).toBe(ANSWER);
    expect(results).toHaveLength(papers.length);
    for (const { d, q } of results) {
      const { title, abstract } = papers.find(
        ({ id, doi }) => d === (id ?? doi?.toLowerCase()),
      ) as (typeof papers)[number];
      expect(
        [title, abstract].some((text) => text.includes(q)),
        q,
      ).toBe(true);
    }
  });
});
