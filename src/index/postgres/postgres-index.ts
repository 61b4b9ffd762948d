/** An index on PostgreSQL. */
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
} from '../../database/postgres/postgres-database.ts';
import type { Index } from '../ports/index.ts';
import { assertOneServer } from './facts.ts';
import type { TablesOptions } from './migrations/index-tables.ts';
import { openIndexDatabase } from './migrations/migrate-postgres-index.ts';
import { createPostgresSource } from './postgres-source.ts';

export interface PostgresOptions extends DatabaseOptions, TablesOptions {
  /** `statementTimeoutMs` of builds and commands. */
  buildStatementTimeoutMs: number;
  /** How long the figures of a source are used. */
  factsKeptMs: number;
}

/**
 * Builds and commands make the tables, and refuse an index on several servers. What they need is loaded by
 * them only.
 */
export function createPostgresIndex(options: PostgresOptions): Index {
  const openTables = (): Promise<Database> =>
    openIndexDatabase({ ...options, statementTimeoutMs: options.buildStatementTimeoutMs });
  const onTables = async <Result>(
    open: (database: Database) => Promise<Result>,
  ): Promise<Result> => {
    const database = await openTables();
    try {
      await assertOneServer(database);
      return await open(database);
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  return {
    engine: 'postgresql',
    prepare: async () => (await openTables()).close(),
    source: async ({ limits, ...others }) =>
      createPostgresSource(openDatabase({ ...options, isPrepared: true }), limits, {
        ...others,
        factsKeptMs: options.factsKeptMs,
      }),
    builder: (model) =>
      onTables(async (database) => {
        const { openPostgresBuilder } = await import('./postgres-builder.ts');
        return openPostgresBuilder(database, model);
      }),
    operator: () =>
      onTables(async (database) => {
        const { createPostgresOperatorIndex } = await import('./postgres-operator-index.ts');
        return createPostgresOperatorIndex(database);
      }),
    sources: () =>
      onTables(async (database) => {
        const { createPostgresSourceStore } = await import('../sources/source-stores.ts');
        return createPostgresSourceStore(database);
      }),
  };
}
