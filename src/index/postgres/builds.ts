/** Builds and their checkpoints: see `index/records/`. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import {
  type BuildOutcome,
  buildsIn,
  buildsSql,
  LAST_BUILD_SQL,
  type StoredBuild,
} from '../records/builds.ts';
import {
  CHECKPOINTS_SQL,
  type Checkpoint,
  type CheckpointRow,
  validCheckpoints,
} from '../records/checkpoints.ts';
import type { SourceFile } from '../records/source-files.ts';
import { readFacts } from './facts.ts';
import { insertRows } from './rows.ts';
import { hashOfName, numberFiles } from './source-files.ts';

/** Records the start of a build. Returns its number. */
export async function startBuild({ query }: Queries, report: unknown): Promise<number> {
  const [row] = await query<{ number: number }>(
    'INSERT INTO index_builds (started_at, report) VALUES ($1, $2) RETURNING number',
    [Date.now(), JSON.stringify(report)],
  );
  return row?.number ?? 0;
}

export async function endBuild(
  { query }: Queries,
  { number, outcome, report }: { number: number; outcome: BuildOutcome; report: unknown },
): Promise<void> {
  await query(
    'UPDATE index_builds SET ended_at = $2, outcome = $3, report = $4 WHERE number = $1',
    [number, Date.now(), outcome, JSON.stringify(report)],
  );
}

export async function readBuilds<Report>(
  { query }: Queries,
  most: number,
): Promise<StoredBuild<Report>[]> {
  return buildsIn(await query(buildsSql(most)));
}

/** Returns when the last build ended, or began if it has not ended; undefined if there was none. */
export async function readLastBuild({ query }: Queries): Promise<number | undefined> {
  const [row] = await query<{ at: number }>(LAST_BUILD_SQL);
  return row?.at;
}

/** Counts a batch of a build, in the transaction of the batch. */
export async function countBatch(
  { query }: Queries,
  { build, batch }: { build: number; batch: number },
): Promise<void> {
  await query('UPDATE index_builds SET batches = $2 WHERE number = $1', [build, batch]);
}

/** Returns the last batch of a build that was committed, 0 if there is none. */
export async function readLastBatch({ query }: Queries, build: number): Promise<number> {
  const [row] = await query<{ batches: number }>(
    'SELECT batches FROM index_builds WHERE number = $1',
    [build],
  );
  return row?.batches ?? 0;
}

export async function readCheckpoints(queries: Queries): Promise<Checkpoint[]> {
  const rows = await queries.query<CheckpointRow>(CHECKPOINTS_SQL);
  return validCheckpoints(rows, (await readFacts(queries)).revision);
}

/** Call it in the transaction that writes the documents, or alone if there are none. */
export async function putCheckpoints(
  queries: Queries,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  if (checkpoints.length === 0) return;
  const numberOf = await numberFiles(
    queries,
    checkpoints.map(({ file }) => file),
  );
  const { revision } = await readFacts(queries);
  await insertRows(
    queries,
    'build_checkpoints',
    checkpoints.map(({ file, identity, entries, isDone }) => {
      return { file: numberOf(file), identity, entries, is_done: isDone, revision };
    }),
    `(file) DO UPDATE SET identity = excluded.identity, entries = excluded.entries,
       is_done = excluded.is_done, revision = excluded.revision`,
  );
}

/** Deletes the checkpoints of all other files. */
export async function keepCheckpoints(
  { query }: Queries,
  files: readonly SourceFile[],
): Promise<void> {
  await query(
    `DELETE FROM build_checkpoints WHERE file NOT IN
       (SELECT number FROM source_files WHERE name_hash = ANY ($1::bytea[]))`,
    [files.map(hashOfName)],
  );
}
