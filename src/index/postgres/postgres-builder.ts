/** The builder of an index on PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  isDisconnection,
  type Queries,
} from '../../database/postgres/postgres-database.ts';
import { readOnPostgres } from '../../database/postgres/run-on-postgres.ts';
import { bind } from '../../database/sql/bind.ts';
import { VerbatimError } from '../../errors.ts';
import type { ModelIdentity } from '../../types.ts';
import { type IndexedChange, isSameGroup, makeChange } from '../documents/make-change.ts';
import { fits } from '../index-facts.ts';
import type { FinishStep, IndexBuilder } from '../ports/index-builder.ts';
import type { Checkpoint } from '../records/checkpoints.ts';
import { recordLists } from '../records/record-lists.ts';
import {
  countBatch,
  endBuild,
  keepCheckpoints,
  putCheckpoints,
  readCheckpoints,
  readLastBatch,
  startBuild,
} from './builds.ts';
import { extendPostings } from './extend-postings.ts';
import { claimModel, INDEX_NAME, type IndexFacts, lockFacts, modelOf, readFacts } from './facts.ts';
import { collectChanges } from './pending-changes.ts';
import { isKept, plan, readUnits, replacedBy } from './records.ts';
import { writeChanges } from './write-changes.ts';

/** Attempts to reach PostgreSQL after a connection broke: half a minute, in which a replica takes over. */
const ATTEMPTS_MAX = 8;
/** The wait before the second attempt. Each further one waits twice as long. */
const FIRST_WAIT_MS = 250;

/** As the index of personal records says it. */
export const IS_PERSONAL = "r.source LIKE 'personal %' AND r.document > 0";

type CheckpointsOf = (stale: readonly IndexedChange[]) => readonly Checkpoint[];

/** Takes the index for this model. Rejects with `model_mismatch` if it has another one. */
export async function openPostgresBuilder(
  database: Database,
  model: ModelIdentity,
): Promise<IndexBuilder> {
  await database.transaction((queries) => claimModel(queries, model));
  const writer = createBatchWriter(database, {
    model,
    revision: (await readFacts(database)).revision,
  });
  const patient = repeating(database);
  return {
    ...bind(recordLists(IS_PERSONAL), (makeWork) =>
      throughDisconnections(() => readOnPostgres(database, makeWork), ATTEMPTS_MAX),
    ),
    isKept: (key, hash) => isKept(patient, key, hash),
    replacedBy: (record) => replacedBy(patient, record),
    async plan(incoming) {
      // Taken first: what changes while it reads counts as a later change.
      const epoch = writer.epoch();
      return { ...(await plan(patient, incoming)), epoch };
    },
    unitsOf: (planned) => readUnits(patient, planned, model.dimensions),
    apply: writer.apply,
    readCheckpoints: () => readCheckpoints(patient),
    saveCheckpoints: (reached) =>
      patient.transaction((queries) => putCheckpoints(queries, reached)),
    keepCheckpoints: (files) => keepCheckpoints(patient, files),
    async startBuild(report) {
      const number = await startBuild(database, report);
      writer.countFor(number);
      return (outcome, last) => endBuild(patient, { number, outcome, report: last });
    },
    finish: () => finish(patient),
    close: () => database.close(),
  };
}

interface BatchWriter extends Pick<IndexBuilder, 'apply'> {
  /** The number of changes by others that were noticed. */
  epoch(): number;
  /** Counts the batches of a build, by which a lost answer to a commit is found out. */
  countFor(build: number): void;
}

function createBatchWriter(
  database: Database,
  { model, revision }: { model: ModelIdentity; revision: number },
): BatchWriter {
  let build: number | undefined;
  let batch = 0;
  let known = revision;
  let epoch = 0;

  const applyOnce = async (
    queries: Queries,
    { changes, checkpointsOf }: { changes: readonly IndexedChange[]; checkpointsOf: CheckpointsOf },
  ) => {
    const facts = await lockFacts(queries);
    assertSameModel(facts, model);
    const isAlone = facts.revision === known;
    const stale: IndexedChange[] = [];
    for (const change of changes) {
      if (isAlone && change.planned.epoch === epoch) continue;
      const { before } = await plan(queries, change.incoming);
      if (!isSameGroup(before, change.planned.before)) stale.push(change);
    }
    const { steps, pending } = collectChanges(facts);
    for (const change of changes) if (!stale.includes(change)) makeChange(steps, change);
    await writeChanges(queries, pending, facts);
    await putCheckpoints(queries, checkpointsOf(stale));
    if (build !== undefined) await countBatch(queries, { build, batch });
    return { stale, isAlone, revision: facts.revision + 1 };
  };
  /** Waits for an attempt that may still be committing. */
  const isCommitted = async (queries: Queries): Promise<boolean> => {
    await lockFacts(queries);
    return build !== undefined && (await readLastBatch(queries, build)) === batch;
  };

  return {
    epoch: () => epoch,
    countFor(number) {
      build = number;
    },
    async apply(changes, checkpointsOf) {
      batch++;
      let made: Awaited<ReturnType<typeof applyOnce>> | undefined;
      const done = await throughDisconnections(
        async (attempt) => {
          await database.transaction(async (queries) => {
            // The answer to the commit may be lost, and the batch must not be applied twice.
            if (attempt > 1 && (await isCommitted(queries))) return;
            made = await applyOnce(queries, { changes, checkpointsOf });
          });
          return made as NonNullable<typeof made>;
        },
        // Without a build, nobody counts its batches.
        build === undefined ? 1 : ATTEMPTS_MAX,
      );
      known = done.revision;
      if (!done.isAlone) epoch++;
      return done.stale;
    },
  };
}

/** The same database for what may be repeated: a broken connection does not end a build of hours. */
function repeating(database: Database): Pick<Database, 'query' | 'transaction'> {
  return {
    query: (text, values) =>
      throughDisconnections(() => database.query(text, values), ATTEMPTS_MAX),
    transaction: (work) => throughDisconnections(() => database.transaction(work), ATTEMPTS_MAX),
  };
}

/** Runs work again after the connection broke. Rejects as the last attempt does. */
async function throughDisconnections<Result>(
  work: (attempt: number) => Promise<Result>,
  attemptsMax: number,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isDisconnection(error) || attempt >= attemptsMax) throw error;
      await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
    }
  }
}

/** The index may have been moved to another model since the build has started. */
function assertSameModel(facts: IndexFacts, model: ModelIdentity): void {
  const stored = modelOf(facts);
  if (stored !== undefined && fits(stored, model)) return;
  throw new VerbatimError(
    'model_mismatch',
    `${INDEX_NAME} was moved to another model meanwhile; run the command again with that model`,
  );
}

/** HNSW needs no step of its own. */
async function* finish(database: Pick<Database, 'transaction'>): AsyncGenerator<FinishStep> {
  for await (const share of extendPostings(database)) {
    yield { what: 'extending the postings', share };
  }
}
