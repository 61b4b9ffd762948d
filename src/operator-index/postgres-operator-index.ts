/** An index on PostgreSQL, for commands. */
import { formatBytes } from '../format-bytes.ts';
import type { Database } from '../store/postgres/database.ts';
import { readBuilds } from '../store/postgres-index/builds.ts';
import { readFacts } from '../store/postgres-index/facts.ts';
import { exportRecords } from '../store/postgres-index/reading/export-records.ts';
import { findWithSources } from '../store/postgres-index/reading/sources.ts';
import { readLastBuild, readSummary } from '../store/postgres-index/reading/summary.ts';
import { removeNamed } from '../store/postgres-index/remove-named.ts';
import { verifyIndex } from '../store/postgres-index/verify/verify.ts';
import type { OperatorIndex } from './operator-index.ts';

/** `database` is closed with it. */
export function createPostgresOperatorIndex(database: Database): OperatorIndex {
  return {
    async stats() {
      const { model, summary } = await database.snapshot(async (queries) => {
        const facts = await readFacts(queries);
        const build = await readLastBuild(queries);
        const { model = null, documents, sentences } = facts;
        return { model, summary: await readSummary(queries, { documents, sentences }, build) };
      });
      const [row] = await database.query<{ bytes: number }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      const bytes = row?.bytes ?? 0;
      const place = `on PostgreSQL, ${formatBytes(bytes)}`;
      const { documents, sentences, languages, fields } = summary;
      return { documents, sentences, languages, fields, model, bytes, place };
    },
    builds: (most) => readBuilds(database, most),
    find: (name) => database.snapshot((queries) => findWithSources(queries, name)),
    remove: (ids) => database.transaction((queries) => removeNamed(queries, ids)),
    records: () => exportRecords(database),
    verify: (options) => database.snapshot((queries) => verifyIndex(queries, options)),
    close: () => database.close(),
  };
}
