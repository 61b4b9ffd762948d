/** An index on PostgreSQL, for commands. */

import type { Database } from '../../database/postgres/postgres-database.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import type { OperatorIndex } from '../ports/operator-index.ts';
import { exportRecords } from './export-records.ts';
import { modelOf, readFacts } from './facts.ts';
import { readBuilds } from './postgres-builds.ts';
import { removeNamed } from './remove-named.ts';
import { findWithSources } from './sources.ts';
import { readLastBuild, readSummary } from './summary.ts';
import { verifyIndex } from './verify-index.ts';

/** `database` is closed with it. */
export function createPostgresOperatorIndex(database: Database): OperatorIndex {
  return {
    async stats() {
      const { model, summary } = await database.snapshot(async (queries) => {
        const facts = await readFacts(queries);
        const build = await readLastBuild(queries);
        const { documents, sentences } = facts;
        const summary = await readSummary(queries, { documents, sentences }, build);
        return { model: modelOf(facts) ?? null, summary };
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
