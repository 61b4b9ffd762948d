/** The builder of an index in an SQLite file. */
import { bind } from '../../database/sql/bind.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { readOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import { needsReclustering, recluster } from '../dense/recluster.ts';
import { addChecksums } from '../documents/add-checksums.ts';
import { createIndexWriter } from '../documents/index-writer.ts';
import { extendPostings } from '../lexical/extend-postings.ts';
import type { FinishStep, IndexBuilder } from '../ports/index-builder.ts';
import { startBuild } from '../records/builds.ts';
import { keepCheckpoints, putCheckpoints, readCheckpoints } from '../records/checkpoints.ts';
import { recordLists } from '../records/record-lists.ts';

/** As the index of personal records says it. */
export const IS_PERSONAL = "r.source GLOB 'personal *'";

/** The index must have a model. */
export function createSqliteBuilder(db: Connection): IndexBuilder {
  const writer = createIndexWriter(db);
  return {
    ...bind(recordLists(IS_PERSONAL), async (makeWork) => readOnSqlite(db, makeWork())),
    isKept: async (key, hash) => writer.isKept(key, hash),
    replacedBy: async (record) => writer.replacedBy(record),
    plan: async (incoming) => writer.plan(incoming),
    unitsOf: async (plan) => writer.unitsOf(plan),
    apply: async (changes, checkpointsOf) =>
      writer.apply(changes, (stale) => putCheckpoints(db, checkpointsOf(stale))),
    readCheckpoints: async () => readCheckpoints(db),
    saveCheckpoints: async (reached) => putCheckpoints(db, reached),
    keepCheckpoints: async (files) => keepCheckpoints(db, files),
    async startBuild(report) {
      const end = startBuild(db, report);
      return async (outcome, last) => end(outcome, last);
    },
    finish: () => finish(db),
    async close() {
      db.close();
    },
  };
}

async function* finish(db: Connection): AsyncGenerator<FinishStep> {
  if (needsReclustering(db)) {
    for (const share of recluster(db)) yield { what: 'reclustering the index', share };
  }
  for (const share of extendPostings(db)) yield { what: 'extending the postings', share };
  for (const share of addChecksums(db)) yield { what: 'adding checksums', share };
}
