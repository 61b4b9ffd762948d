/** The SQL of what processes that update sources do, on either database. */
import { query, queryFirst, type Sql, type Value } from '../../database/sql/sql.ts';
import type { FiledRecord } from '../ports/source-store.ts';

/** Records of a page. */
const RECORDS_PER_PAGE = 500;
/** Values of one statement. */
const KEYS_PER_STATEMENT = 200;

export function* addSource(
  { name, settings, state }: { name: string; settings: unknown; state: unknown },
  now: number,
): Sql<boolean> {
  const added = yield* queryFirst(
    `INSERT INTO sources (name, settings, added_at, state) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO NOTHING RETURNING name`,
    [name, JSON.stringify(settings), now, JSON.stringify(state)],
  );
  return added !== undefined;
}

export function* removeSource(name: string): Sql<boolean> {
  yield* clearSeen(name);
  const removed = yield* queryFirst('DELETE FROM sources WHERE name = $1 RETURNING name', [name]);
  return removed !== undefined;
}

export function* ownSource(
  name: string,
  { owner, until, now }: { owner: string; until: number; now: number },
): Sql<boolean> {
  const owned = yield* queryFirst(
    `UPDATE sources SET owner = $2, owned_until = $3
     WHERE name = $1 AND (owner = $2 OR owned_until <= $4) RETURNING name`,
    [name, owner, until, now],
  );
  return owned !== undefined;
}

export function* disownSource(name: string, owner: string): Sql<void> {
  yield* query('UPDATE sources SET owner = NULL, owned_until = 0 WHERE name = $1 AND owner = $2', [
    name,
    owner,
  ]);
}

export function* saveSource(
  name: string,
  owner: string,
  { position, state }: { position?: unknown; state?: unknown },
): Sql<boolean> {
  const saved = yield* queryFirst(
    `UPDATE sources SET position = CASE WHEN $3 = 1 THEN $4 ELSE position END,
       state = coalesce($5, state)
     WHERE name = $1 AND owner = $2 RETURNING name`,
    [
      ...[name, owner, position === undefined ? 0 : 1],
      position === undefined || position === null ? null : JSON.stringify(position),
      state === undefined ? null : JSON.stringify(state),
    ],
  );
  return saved !== undefined;
}

export function* addSeen(name: string, keys: readonly number[]): Sql<void> {
  for (const some of slices(keys)) {
    const rows = some.map((_, at) => `($1, $${at + 2})`).join(', ');
    yield* query(`INSERT INTO source_seen (source, key) VALUES ${rows} ON CONFLICT DO NOTHING`, [
      name,
      ...some,
    ]);
  }
}

export function* seenAmong(name: string, keys: readonly number[]): Sql<Set<number>> {
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

export function* clearSeen(name: string): Sql<void> {
  yield* query('DELETE FROM source_seen WHERE source = $1', [name]);
}

/** The records of the files of the source $1. */
const OF_SOURCE = `source_files f JOIN source_records r ON r.file = f.number
  LEFT JOIN documents d ON d.number = r.document
  WHERE substr(f.path, 1, length($1) + 1) = $1 || ':'`;

export function* recordsOf(name: string, after: number): Sql<FiledRecord[]> {
  const rows = yield* query<FiledRow>(
    `SELECT r.number, r.source, r.part, r.identifiers, r.fields, coalesce(d.id, '') AS id,
       coalesce(d.title, '') AS title
     FROM ${OF_SOURCE} AND r.number > $2 ORDER BY r.number LIMIT ${RECORDS_PER_PAGE}`,
    [name, after],
  );
  return rows.map(({ part, identifiers, fields, ...row }) => {
    const own: { id?: string; title?: string } = fields === null ? {} : JSON.parse(fields);
    return {
      ...row,
      number: Number(row.number),
      part: part ?? 'record',
      id: own.id ?? row.id,
      title: own.title ?? row.title,
      identifiers: identifiers === null ? {} : JSON.parse(identifiers),
    };
  });
}

interface FiledRow extends Omit<FiledRecord, 'part' | 'identifiers'> {
  part: FiledRecord['part'] | null;
  identifiers: string | null;
  fields: string | null;
}

export function* countPapers(name: string): Sql<{ papers: number; abstracts: number }> {
  const row = yield* queryFirst<{ papers: number; abstracts: number }>(
    `SELECT count(DISTINCT d.number) AS papers,
       count(DISTINCT CASE WHEN d.abstract <> '' THEN d.number END) AS abstracts
     FROM ${OF_SOURCE}`,
    [name],
  );
  return { papers: Number(row?.papers ?? 0), abstracts: Number(row?.abstracts ?? 0) };
}
