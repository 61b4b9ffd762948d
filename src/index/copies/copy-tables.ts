/**
 * Brings the tables of the index in one file to their state in another. It reads no other table of the
 * source, so nothing of a customer is ever in the copy, not even in an unused page. Rows that are the
 * same are not written again: pages stay as they are, and so do the hashes of most pieces of the file.
 */
import Database from 'better-sqlite3';
import { versionOf } from '../../database/migrations/migrate-file.ts';
import { PAGE_BYTES } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';

/** The tables of the index. The full text has tables of its own behind it. */
export const indexTables = [
  'documents',
  'documents_text',
  'signals',
  'term_counts',
  'postings',
  'centroid_groups',
  'inverted_lists',
  'list_entries',
  'document_lists',
  'title_keys',
  'document_facets',
  'author_keys',
  'source_files',
  'source_records',
  'record_keys',
  'withheld_documents',
  'citations',
  'paper_changes',
  'index_builds',
  'build_checkpoints',
  'sources',
  'source_seen',
  'index_facts',
] as const;

/** Rows that are compared and copied in one step. */
const ROWS_PER_STEP = 4_096;

export interface CopyTablesOptions {
  /** The database with the index. */
  from: string;
  /** How long to wait for another process. */
  lockWaitMs: number;
}

/** What a copy says of its index. */
export interface CopiedIndex {
  tables: number;
  documents: number;
}

/**
 * Copies in steps of a fraction of a second, and yields after each. All of them see the source as it
 * was at the first. `to` is a copy of an earlier call, or does not exist. It is useless unless all
 * steps are done.
 */
export function* copyTables(
  to: string,
  { from, lockWaitMs }: CopyTablesOptions,
): Generator<void, CopiedIndex> {
  const db = new Database(to, { timeout: lockWaitMs });
  try {
    // Otherwise SQLite refuses to write the tables behind the full text.
    db.unsafeMode(true);
    // Whoever dies here throws the copy away, so it needs no journal.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('foreign_keys = OFF');
    db.prepare('ATTACH ? AS source').run(from);
    db.exec('BEGIN');
    createMissing(db);
    for (const table of storedTables(db)) yield* copyTable(db, table);
    const tables = Number(db.pragma('source.user_version', { simple: true }));
    // A write of the same version would change the file.
    if (versionOf(db) !== tables) db.pragma(`user_version = ${tables}`);
    db.exec('COMMIT');
    db.exec('DETACH source');
    const documents = db.prepare("SELECT value FROM index_facts WHERE name = 'documents'").pluck();
    return { tables, documents: Number(documents.get()) };
  } finally {
    db.close();
  }
}

/** Whether an earlier copy has the same tables as the database, so that it can be brought up to date. */
export function haveSameTables(copy: string, { from, lockWaitMs }: CopyTablesOptions): boolean {
  const db = new Database(from, { timeout: lockWaitMs, fileMustExist: true });
  try {
    db.prepare('ATTACH ? AS copy').run(copy);
    const read = (schema: string) => JSON.stringify(db.prepare(definitionsSql(schema)).all(named));
    return read('main') === read('copy');
  } finally {
    db.close();
  }
}

const named = { tables: JSON.stringify(indexTables) };

/** Selects the statements that make the tables and their indexes. */
function definitionsSql(schema: string): string {
  return `SELECT type, name, sql FROM ${schema}.sqlite_schema
    WHERE tbl_name IN (SELECT value FROM json_each(@tables)) AND sql IS NOT NULL
    ORDER BY type DESC, name`;
}

function createMissing(db: Connection): void {
  const exists = db.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?');
  const all = db.prepare(definitionsSql('source')).all(named) as { name: string; sql: string }[];
  for (const { name, sql } of all) if (exists.get(name) === undefined) db.exec(sql);
}

/** The tables that hold rows: those behind the full text instead of the full text itself. */
function storedTables(db: Connection): string[] {
  const behind = db
    .prepare("SELECT name FROM main.sqlite_schema WHERE name GLOB 'documents_text_*'")
    .pluck()
    .all() as string[];
  return indexTables.flatMap((table) => (table === 'documents_text' ? behind : [table]));
}

/** Makes the rows of a table equal to the source's, range by range of its first key column. */
function* copyTable(db: Connection, table: string): Generator<void> {
  const columns = db.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table) as {
    name: string;
    pk: number;
  }[];
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const [first] = keys.map(({ name }) => name) as [string];
  const same = keys.map(({ name }) => `d.${name} = s.${name}`).join(' AND ');
  const others = columns.filter(({ pk }) => pk === 0);
  const changed = [`d.${first} IS NULL`, ...others.map(({ name }) => `d.${name} IS NOT s.${name}`)];
  const names = columns.map(({ name }) => name);
  const range = (alias: string) =>
    `${alias}.${first} > @after AND (@until IS NULL OR ${alias}.${first} <= @until)`;
  const readUntil = db
    .prepare(
      `SELECT ${first} FROM source.${table} WHERE ${first} > ? ORDER BY ${first}
       LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`,
    )
    .pluck();
  const remove = db.prepare(
    `DELETE FROM main.${table} AS d WHERE ${range('d')}
       AND NOT EXISTS (SELECT 1 FROM source.${table} s WHERE ${same})`,
  );
  const write = db.prepare(
    `REPLACE INTO main.${table} (${names.join(', ')})
     SELECT ${names.map((name) => `s.${name}`).join(', ')}
     FROM source.${table} s LEFT JOIN main.${table} d ON ${same}
     WHERE ${range('s')} AND (${changed.join(' OR ')})`,
  );
  let after: unknown = Number.MIN_SAFE_INTEGER;
  do {
    const until = readUntil.get(after) ?? null;
    remove.run({ after, until });
    write.run({ after, until });
    after = until;
    yield;
  } while (after !== null);
}
