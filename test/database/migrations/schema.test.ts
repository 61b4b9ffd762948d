/**
 * The files in src/database/schema/ are for readers; no program runs them. A new database goes through
 * all migrations, as an old one does: with one way to make a database, none is a special case.
 */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openMemoryStore, rowsOf } from '../../support/accounts.ts';
import { databaseOfSchemaFiles, schemaFiles, schemaOf } from './schema-of.ts';

it('the schema files say what the migrations make', () => {
  const migrated = schemaOf(openMemoryStore());
  expect(schemaOf(databaseOfSchemaFiles())).toEqual(migrated);
  expect(Object.keys(migrated).length).toBeGreaterThan(60);
});

it.each(['index_facts', 'lane_answer_totals'])(
  'the schema files have the first rows of %s',
  (table) => {
    const rows = `SELECT * FROM ${table} ORDER BY 1`;
    expect(rowsOf(databaseOfSchemaFiles(), rows)).toEqual(rowsOf(openMemoryStore(), rows));
  },
);

it('the comparison reads every schema file', () => {
  const folder = resolve(import.meta.dirname, '../../../src/database/schema/sqlite');
  expect(readdirSync(folder).sort()).toEqual([...schemaFiles].sort());
});
