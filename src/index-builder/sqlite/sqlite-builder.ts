/** The builder of an index in an SQLite file. */
import type { Connection } from '../../store/database/connection.ts';
import { needsReclustering, recluster } from '../../store/index/dense/recluster.ts';
import { addChecksums } from '../../store/index/documents/add-checksums.ts';
import { createIndexWriter } from '../../store/index/documents/index-writer.ts';
import { extendPostings } from '../../store/index/lexical/extend-postings.ts';
import { startBuild } from '../../store/index/records/builds.ts';
import { createCheckpointTable } from '../../store/index/records/checkpoints.ts';
import type { FinishStep, IndexBuilder } from '../index-builder.ts';

/** The index must have a model. */
export function createSqliteBuilder(db: Connection): IndexBuilder {
  const writer = createIndexWriter(db);
  const checkpoints = createCheckpointTable(db);
  return {
    isKept: async (key, hash) => writer.isKept(key, hash),
    replacedBy: async (record) => writer.replacedBy(record),
    plan: async (incoming) => writer.plan(incoming),
    unitsOf: async (plan) => writer.unitsOf(plan),
    apply: async (changes, checkpointsOf) =>
      writer.apply(changes, (stale) => checkpoints.put(checkpointsOf(stale))),
    readCheckpoints: async () => checkpoints.read(),
    saveCheckpoints: async (reached) => checkpoints.put(reached),
    keepCheckpoints: async (files) => checkpoints.keepOnly(files),
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
