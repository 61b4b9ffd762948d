/** What is stored of sources, on either database. */
import { query, queryFirst, type Sql, type Value } from '../../database/sql/sql.ts';
import type { NamedRecord } from '../../identity/record-keys.ts';
import { type RecordRow, toStored } from '../records/stored-records.ts';
import { listSources } from './list-sources.ts';

/** Records of a page. */
const RECORDS_PER_PAGE = 500;
/** Values of one statement. */
const KEYS_PER_STATEMENT = 200;

function* hasChanged(text: string, values: readonly Value[]): Sql<boolean> {
  return (yield* queryFirst(`${text} RETURNING name`, values)) !== undefined;
}

/** Returns false if there is one of this name. */
function* add(
  { name, settings, state }: { name: string; settings: unknown; state: unknown },
  now = Date.now(),
): Sql<boolean> {
  return yield* hasChanged(
    `INSERT INTO sources (name, settings, added_at, state) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO NOTHING`,
    [name, JSON.stringify(settings), now, JSON.stringify(state)],
  );
}

/** Forgets a source. Its papers stay. Returns false if there is none of this name. */
function* remove(name: string): Sql<boolean> {
  yield* clearSeen(name);
  return yield* hasChanged('DELETE FROM sources WHERE name = $1', [name]);
}

/**
 * Makes a process the owner of a source until a time, or for longer. Returns false if another one is, or
 * the source is gone.
 */
function* own(name: string, owner: string, until: number, now = Date.now()): Sql<boolean> {
  return yield* hasChanged(
    `UPDATE sources SET owner = $2, owned_until = $3
     WHERE name = $1 AND (owner = $2 OR owned_until <= $4)`,
    [name, owner, until, now],
  );
}

function* disown(name: string, owner: string): Sql<void> {
  yield* query('UPDATE sources SET owner = NULL, owned_until = 0 WHERE name = $1 AND owner = $2', [
    name,
    owner,
  ]);
}

/** Saves what is given. Returns false if the process is not its owner. */
function* save(
  name: string,
  owner: string,
  { position, state }: { position?: unknown; state?: unknown },
): Sql<boolean> {
  return yield* hasChanged(
    `UPDATE sources SET position = CASE WHEN $3 = 1 THEN $4 ELSE position END,
       state = coalesce($5, state)
     WHERE name = $1 AND owner = $2`,
    [
      ...[name, owner, position === undefined ? 0 : 1],
      position === undefined || position === null ? null : JSON.stringify(position),
      state === undefined ? null : JSON.stringify(state),
    ],
  );
}

/** Notes records of a complete list by the hashes of their names. Repeated ones do no harm. */
function* addSeen(name: string, keys: readonly number[]): Sql<void> {
  for (const some of slices(keys)) {
    const rows = some.map((_, at) => `($1, $${at + 2})`).join(', ');
    yield* query(`INSERT INTO source_seen (source, key) VALUES ${rows} ON CONFLICT DO NOTHING`, [
      name,
      ...some,
    ]);
  }
}

/** Returns those of the hashes that were noted. */
function* seenAmong(name: string, keys: readonly number[]): Sql<Set<number>> {
  const seen = new Set<number>();
  for (const some of slices(keys)) {
    const places = some.map((_, at) => `$${at + 2}`).join(', ');
    const rows = yield* query<{ key: number }>(
      `SELECT key FROM source_seen WHERE source = $1 AND key IN (${places})`,
      [name, ...some],
    );
    for (const { key } of rows) seen.add(Number(key));
  }
  return seen;
}

/** Slices of one length, so that there are few statements. The last one repeats its last value. */
function* slices(keys: readonly number[]): Generator<Value[] & number[]> {
  for (let at = 0; at < keys.length; at += KEYS_PER_STATEMENT) {
    const some = keys.slice(at, at + KEYS_PER_STATEMENT);
    const last = some.at(-1) as number;
    while (some.length < KEYS_PER_STATEMENT) some.push(last);
    yield some;
  }
}

function* clearSeen(name: string): Sql<void> {
  yield* query('DELETE FROM source_seen WHERE source = $1', [name]);
}

/** A record whose last version is from a source: from a file with a path that begins with its name and a colon. */
export interface FiledRecord extends NamedRecord {
  number: number;
  title: string;
}

/** The records of the files of the source $1. */
const OF_SOURCE = `source_files f JOIN source_records r ON r.file = f.number
  LEFT JOIN documents d ON d.number = r.document
  WHERE substr(f.path, 1, length($1) + 1) = $1 || ':'`;

/**
 * Returns at most 500 records after a number, ascending, whose last version is from the source. What does
 * not name them is left out.
 */
function* recordsOf(name: string, after: number): Sql<FiledRecord[]> {
  const rows = yield* query<RecordRow>(
    `SELECT r.number, r.source, r.part, r.identifiers, r.fields, coalesce(d.id, '') AS id,
       coalesce(d.title, '') AS title, '[]' AS authors, NULL AS withheld, NULL AS notice, NULL AS details,
       NULL AS cited
     FROM ${OF_SOURCE} AND r.number > $2 AND coalesce(r.part, '') <> 'removed' ORDER BY r.number LIMIT ${RECORDS_PER_PAGE}`,
    [name, after],
  );
  return rows.map((row) => ({ ...toStored(row).record, number: Number(row.number) }));
}

/** Counts the papers of these records, and those with an abstract. Reads all records of the index. */
function* countPapers(name: string): Sql<{ papers: number; abstracts: number }> {
  const row = yield* queryFirst<{ papers: number; abstracts: number }>(
    `SELECT count(DISTINCT d.number) AS papers,
       count(DISTINCT CASE WHEN d.abstract <> '' THEN d.number END) AS abstracts
     FROM ${OF_SOURCE}`,
    [name],
  );
  return { papers: Number(row?.papers ?? 0), abstracts: Number(row?.abstracts ?? 0) };
}

export const sourceReads = { list: listSources, seenAmong, recordsOf, countPapers };
export const sourceChanges = { add, remove, own, disown, save, addSeen, clearSeen };
