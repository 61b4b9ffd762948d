/** An index in an SQLite file, for commands. Each method opens the file as it needs it. */
import { statSync } from 'node:fs';
import { openExistingStore, openStoreForReading } from '../../database/open.ts';
import { bind } from '../../database/sql/bind.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { readOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import { assertWalWithin } from '../../database/sqlite/wal.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { createDocumentReader } from '../documents/documents.ts';
import { createIndexWriter } from '../documents/index-writer.ts';
import { exportRecords, prepareReadSources } from '../documents/sources-of-documents.ts';
import { createIndexSummarizer } from '../facets/index-summary.ts';
import { readModel } from '../index-facts.ts';
import { findEachNamed, keysNamed } from '../ports/find-named.ts';
import type { OperatorIndex } from '../ports/operator-index.ts';
import { readBuilds } from '../records/builds.ts';
import { recordLists } from '../records/record-lists.ts';
import { createRecordTable } from '../records/records.ts';
import { countRemovedSql, removedWith } from '../records/removed-papers.ts';
import { verifyIndex } from '../verify/verify-index.ts';
import type { SqlitePlace } from './index-file.ts';
import { IS_PERSONAL } from './sqlite-builder.ts';

/** What reads for long looks at the write-ahead log, which an open snapshot keeps from being emptied. */
export function createSqliteOperatorIndex({
  walBytesMax = Number.POSITIVE_INFINITY,
  ...store
}: SqlitePlace): OperatorIndex {
  const lookAtWal = (): void => assertWalWithin(store.path, walBytesMax);
  const using = async <Result>(
    open: (options: OpenOptions) => Connection,
    work: (db: Connection) => Result | Promise<Result>,
  ): Promise<Result> => {
    const db = open(store);
    try {
      return await work(db);
    } catch (error) {
      throw namingFault(error, store.path);
    } finally {
      db.close();
    }
  };
  return {
    ...bind(recordLists(IS_PERSONAL), (makeWork) =>
      using(openStoreForReading, (db) => readOnSqlite(db, makeWork())),
    ),
    stats: () =>
      using(openStoreForReading, (db) => {
        const bytes = statSync(store.path).size;
        const place = `${store.path}, ${formatBytes(bytes)}`;
        const { documents, sentences, languages, fields } = createIndexSummarizer(db)();
        const model = readModel(db) ?? null;
        const removed = Number(db.prepare(countRemovedSql('document IS NULL')).pluck().get());
        return { documents, sentences, languages, fields, removed, model, bytes, place };
      }),
    builds: (most) => using(openStoreForReading, (db) => readBuilds(db, most)),
    find: (names) =>
      using(openStoreForReading, async (db) => {
        const { withId, withKeys } = createDocumentReader(db);
        const found = await findEachNamed(
          {
            withIds: async (ids) => ids.map(withId),
            withKeys: async (keys) => keys.map(withKeys),
          },
          names,
        );
        const read = prepareReadSources(db);
        return found.map((numbers) => numbers.map(read));
      }),
    remove: (ids) =>
      using(openExistingStore, (db) => {
        createIndexWriter(db).remove(ids);
      }),
    findRemoved: (name) =>
      using(openStoreForReading, (db) => {
        const keys = keysNamed(name);
        const left = removedWith(keys, createRecordTable(db).gather(keys));
        return left.map(({ record }) => record);
      }),
    restore: (names) =>
      using(openExistingStore, (db) => createIndexWriter(db).restore(names.map(keysNamed))),
    async *records() {
      const db = openStoreForReading(store);
      try {
        return yield* exportRecords(db, lookAtWal);
      } catch (error) {
        throw namingFault(error, store.path);
      } finally {
        db.close();
      }
    },
    verify: ({ problemsMax, onProgress }) =>
      using(openExistingStore, (db) =>
        verifyIndex(db, {
          problemsMax,
          onProgress(done) {
            lookAtWal();
            onProgress(done);
          },
        }),
      ),
    close: async () => {},
  };
}
