/** An index in an SQLite file, for commands. Each method opens the file as it needs it. */
import { statSync } from 'node:fs';
import { openExistingStore, openStoreForReading } from '../../database/open.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { assertWalWithin } from '../../database/sqlite/wal.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import type { SourceRecord } from '../../types.ts';
import { findDocuments } from '../documents/find-documents.ts';
import { createIndexWriter } from '../documents/index-writer.ts';
import { createSourcesReader } from '../documents/sources-of-documents.ts';
import { createIndexSummarizer } from '../facets/index-summary.ts';
import { readModel } from '../index-facts.ts';
import type { OperatorIndex } from '../ports/operator-index.ts';
import { readBuilds } from '../records/builds.ts';
import { verifyIndex } from '../verify/verify-index.ts';
import type { SqlitePlace } from './index-file.ts';

/** Records between two looks at the write-ahead log, which an open snapshot keeps from being emptied. */
const RECORDS_PER_LOOK = 100;

export function createSqliteOperatorIndex({
  walBytesMax = Number.POSITIVE_INFINITY,
  ...store
}: SqlitePlace): OperatorIndex {
  const using = async <Result>(
    open: (options: OpenOptions) => Connection,
    work: (db: Connection) => Result,
  ): Promise<Result> => {
    const db = open(store);
    try {
      return work(db);
    } catch (error) {
      throw namingFault(error, store.path);
    } finally {
      db.close();
    }
  };
  return {
    stats: () =>
      using(openStoreForReading, (db) => {
        const bytes = statSync(store.path).size;
        const place = `${store.path}, ${formatBytes(bytes)}`;
        const { documents, sentences, languages, fields } = createIndexSummarizer(db)();
        const model = readModel(db) ?? null;
        return { documents, sentences, languages, fields, model, bytes, place };
      }),
    builds: (most) => using(openStoreForReading, (db) => readBuilds(db, most)),
    find: (name) =>
      using(openStoreForReading, (db) => {
        const reader = createSourcesReader(db);
        return findDocuments(reader, name).map((found) => ({
          ...found,
          files: found.records.map(reader.fileOf),
        }));
      }),
    remove: (ids) =>
      using(openExistingStore, (db) => {
        createIndexWriter(db).remove(ids);
      }),
    async *records() {
      const db = openStoreForReading(store);
      try {
        const all = createSourcesReader(db).all();
        return yield* lookingUp(all, () => assertWalWithin(db.name, walBytesMax));
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
            assertWalWithin(store.path, walBytesMax);
            onProgress(done);
          },
        }),
      ),
    close: async () => {},
  };
}

/** The same records, with a look at something after some of them. */
function* lookingUp(
  all: Generator<SourceRecord, number>,
  look: () => void,
): Generator<SourceRecord, number> {
  let records = 0;
  let leftOut = 0;
  const counted = function* () {
    leftOut = yield* all;
  };
  for (const record of counted()) {
    if (++records % RECORDS_PER_LOOK === 0) look();
    yield record;
  }
  return leftOut;
}
