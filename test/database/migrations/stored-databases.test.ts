/** Databases of all earlier versions migrate to today's program, and keep what was in them. */
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { steps } from '../../../src/database/migrations/migrate-file.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { openSearch } from '../../../src/search/open-search.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { rowsOf } from '../../support/accounts.ts';
import { migrateWithoutCopy, openMigrated } from './open-migrated.ts';
import { databaseOfSchemaFiles, schemaOf } from './schema-of.ts';
import { papers, storedVersions, unpackStored } from './stored-databases.ts';

const QUESTION = 'how is ammonia made from nitrogen';
const ANSWER = 'sample:chemistry-haber-bosch-ammonia';

/** Tables whose rows stay, with the columns that a database has of them. */
function contentOf(db: Connection, columns: Record<string, string>): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(columns).map(([table, names]) => [
      table,
      rowsOf(db, `SELECT ${names} FROM ${table} ORDER BY 1, 2`),
    ]),
  );
}

function columnsOf(db: Connection): Record<string, string> {
  const tables = ['documents', 'customers', 'api_keys', 'ledger_entries', 'open_holds', 'usage'];
  // What step 25 moved to the members is compared below.
  const names = db
    .prepare(
      `SELECT group_concat(name) FROM pragma_table_info(?)
       WHERE name NOT IN ('password_hash', 'browser_key')`,
    )
    .pluck();
  return Object.fromEntries(tables.map((table) => [table, names.get(table) as string]));
}

describe.each(storedVersions)('a database of version %i', (version) => {
  it('has the number of its version', async () => {
    const db = new Database(await unpackStored(version), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(version);
    db.close();
  });

  it('keeps its documents, customers, keys and credit', async () => {
    const path = await unpackStored(version);
    const before = new Database(path);
    const columns = columnsOf(before);
    const content = contentOf(before, columns);
    before.close();
    const db = await openMigrated(path);
    onTestFinished(() => {
      db.close();
    });
    expect(contentOf(db, columns)).toEqual(content);
    expect(content['documents']).toHaveLength(papers.length);
    expect(rowsOf(db, 'SELECT email, balance FROM customers ORDER BY id')).toEqual([
      { email: 'ada@example.org', balance: 118 },
      { email: 'bob@example.org', balance: 0 },
    ]);
    const members = 'SELECT email, role, customer_id AS customer FROM members ORDER BY id';
    expect(rowsOf(db, members)).toEqual([
      { email: 'ada@example.org', role: 'owner', customer: 1 },
      { email: 'bob@example.org', role: 'owner', customer: 2 },
    ]);
    const keys = 'SELECT name, in_flight_max AS most, revoked_at IS NULL AS valid FROM api_keys';
    expect(rowsOf(db, `${keys} ORDER BY id`)).toEqual([
      { name: 'old', most: null, valid: 0 },
      { name: 'laptop', most: 3, valid: 1 },
    ]);
    expect(rowsOf(db, 'SELECT requests, credits FROM usage_days')).toEqual([
      { requests: 3, credits: 2 },
    ]);
    expect(auditLedger(db)).toMatchObject({ customers: 2, entries: 9, differences: [] });
  });

  it('has today’s tables and a sound index', async () => {
    const db = await openMigrated(await unpackStored(version));
    onTestFinished(() => {
      db.close();
    });
    expect(schemaOf(db)).toEqual(schemaOf(databaseOfSchemaFiles()));
    expect(db.pragma('user_version', { simple: true })).toBe(steps.length);
    const { documents, problems } = verifyIndex(db, { problemsMax: 10 });
    expect({ documents, problems }).toEqual({ documents: papers.length, problems: [] });
  });

  it('answers a search and quotes its documents word for word', async () => {
    const path = await unpackStored(version);
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

it('the responses of lanes that a database of version 9 has are counted', async () => {
  const path = await unpackStored(9);
  const old = new Database(path);
  old.exec("INSERT INTO lane_answers VALUES ('one', '[]', 2, 0), ('two', '[1]', 3, 0)");
  old.close();
  const db = await openMigrated(path);
  expect(rowsOf(db, 'SELECT entries, bytes FROM lane_answer_totals')).toEqual([
    { entries: 2, bytes: 5 },
  ]);
  db.close();
});
