/** An index on PostgreSQL, for commands. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { readOnPostgres } from '../../database/postgres/run-on-postgres.ts';
import { bind } from '../../database/sql/bind.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import type { DocumentId, DocumentNumber, SourceRecord } from '../../types.ts';
import type { DocumentReferences } from '../citations/document-references.ts';
import {
  type DocumentWithSources,
  damagedError,
  type FoundDocument,
  toSourceRecord,
} from '../documents/sources-of-documents.ts';
import { findEachNamed, keysNamed } from '../ports/find-named.ts';
import type { OperatorIndex } from '../ports/operator-index.ts';
import { removalOf } from '../records/paper-changes.ts';
import { recordLists } from '../records/record-lists.ts';
import { countRemovedSql, leftOf, removedWith } from '../records/removed-papers.ts';
import type { SourceFile } from '../records/source-files.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { readBuilds, readLastBuild } from './builds.ts';
import { readReferences } from './citations.ts';
import { readNumbers } from './documents.ts';
import { lockFacts, modelOf, readFacts } from './facts.ts';
import { collectChanges } from './pending-changes.ts';
import { IS_PERSONAL } from './postgres-builder.ts';
import { gather, readWithKeys, readWithRecords } from './records.ts';
import { readSummary } from './summary.ts';
import { verifyIndex } from './verify-index.ts';
import { writeChanges } from './write-changes.ts';

/** Documents in memory at a time. */
const DOCUMENTS_PER_PAGE = 500;

/** `database` is closed with it. */
export function createPostgresOperatorIndex(database: Database): OperatorIndex {
  return {
    ...bind(recordLists(IS_PERSONAL), (makeWork) => readOnPostgres(database, makeWork)),
    async stats() {
      const { model, summary } = await database.snapshot(async (queries) => {
        const facts = await readFacts(queries);
        const build = await readLastBuild(queries);
        return { model: modelOf(facts), summary: await readSummary(queries, facts, build) };
      });
      const [row] = await database.query<{ bytes: number }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      const bytes = row?.bytes ?? 0;
      const [left] = await database.query<{ removed: number }>(countRemovedSql('document < 0'));
      const removed = Number(left?.removed);
      const place = `on PostgreSQL, ${formatBytes(bytes)}`;
      const { documents, sentences, languages, fields } = summary;
      const known = { documents, sentences, languages, fields, removed };
      return { ...known, model: model ?? null, bytes, place };
    },
    builds: (most) => readBuilds(database, most),
    find: (names) => database.snapshot((queries) => find(queries, names)),
    remove: (ids) => database.transaction((queries) => remove(queries, ids)),
    findRemoved: (name) =>
      database.snapshot(async (queries) =>
        (await findRemoved(queries, name)).map(({ record }) => record),
      ),
    restore: (names) => database.transaction((queries) => restore(queries, names)),
    records: () => exportRecords(database),
    verify: (options) => database.snapshot((queries) => verifyIndex(queries, options)),
    close: () => database.close(),
  };
}

async function find(queries: Queries, names: readonly string[]): Promise<FoundDocument[][]> {
  const view = {
    withIds: (ids: readonly string[]) => readNumbers(queries, ids),
    withKeys: (keys: readonly (readonly string[])[]) => readWithKeys(queries, keys, () => {}),
  };
  const found = await findEachNamed(view, names);
  const numbers = [...new Set(found.flat())];
  if (numbers.length === 0) return found.map(() => []);
  const rows = await queries.query<SourceFile & { number: number }>(
    'SELECT number, path, format FROM source_files',
  );
  const files = new Map(rows.map(({ number, path, format }) => [number, { path, format }]));
  const documents = new Map(
    (await readSound(queries, numbers)).map((document, at) => [
      numbers[at],
      {
        ...document,
        files: document.records.map(({ file }) => (file === null ? undefined : files.get(file))),
      },
    ]),
  );
  return found.map((own) => own.map((number) => documents.get(number) as FoundDocument));
}

async function readSound(
  queries: Queries,
  numbers: readonly DocumentNumber[],
): Promise<DocumentWithSources[]> {
  const documents = await readWithRecords(queries, numbers);
  return documents.map((document, at) => {
    if (document === undefined) throw damagedError(numbers[at] as DocumentNumber);
    return document;
  });
}

/** A batch of its own. */
async function remove(queries: Queries, ids: readonly DocumentId[]): Promise<void> {
  const facts = await lockFacts(queries);
  const numbers = (await readNumbers(queries, ids)).filter((number) => number !== undefined);
  if (numbers.length === 0) return;
  const { steps, pending } = collectChanges(facts);
  for (const { records, merged } of await readSound(queries, numbers)) {
    records.forEach(steps.removeRecord);
    for (const left of leftOf(records)) steps.addRecord(left, null);
    steps.noteChange(removalOf(merged.document.id));
  }
  numbers.forEach(steps.removeDocument);
  await writeChanges(queries, pending, facts);
}

async function findRemoved(queries: Queries, name: string): Promise<StoredRecord[]> {
  const keys = keysNamed(name);
  return removedWith(keys, await gather(queries, keys));
}

async function restore(queries: Queries, names: readonly string[]): Promise<number[]> {
  const facts = await lockFacts(queries);
  const { steps, pending } = collectChanges(facts);
  const left: number[] = [];
  const known = new Set<number>();
  for (const name of names) {
    const found = await findRemoved(queries, name);
    const records = found.filter(({ number }) => !known.has(number));
    for (const stored of records) {
      known.add(stored.number);
      steps.removeRecord(stored);
    }
    left.push(records.length);
  }
  if (known.size > 0) await writeChanges(queries, pending, facts);
  return left;
}

async function* exportRecords(database: Database): AsyncGenerator<SourceRecord, number> {
  const reading = await database.openSnapshot();
  try {
    let leftOut = 0;
    for (let last: DocumentNumber = 0; ; ) {
      const rows = await reading.query<{ number: DocumentNumber }>(
        'SELECT number FROM documents WHERE number > $1 ORDER BY number LIMIT $2',
        [last, DOCUMENTS_PER_PAGE],
      );
      if (rows.length === 0) return leftOut;
      const numbers = rows.map(({ number }) => number);
      const references = await readReferences(reading, numbers);
      for (const [at, found] of (await readWithRecords(reading, numbers)).entries()) {
        if (found === undefined) leftOut += 1;
        else yield toSourceRecord(found.merged, references[at] as DocumentReferences);
      }
      last = numbers.at(-1) as DocumentNumber;
    }
  } finally {
    await reading.close();
  }
}
