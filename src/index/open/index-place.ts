/** Where an index is, as the settings say it. */

import { assertPostgresAddress } from '../../database/postgres/assert-address.ts';
import type { DatabaseOptions } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';
import type { TablesOptions } from '../postgres/migrations/index-tables.ts';
import type { IndexOptions } from '../sqlite/open-index.ts';

/** In an SQLite file, in a folder of copies, or on PostgreSQL. */
export type IndexPlace = IndexOptions | PostgresPlace;

/** An index on PostgreSQL. */
export interface PostgresPlace {
  postgres: DatabaseOptions;
}

export type PostgresSettings = Pick<
  Settings,
  | 'indexAddress'
  | 'indexShards'
  | 'indexVectors'
  | 'indexConnectionsMax'
  | 'indexConnectTimeoutMs'
  | 'indexStatementTimeoutMs'
  | 'indexBuildStatementTimeoutMs'
>;

export function isOnPostgres({ indexAddress }: Pick<Settings, 'indexAddress'>): boolean {
  return indexAddress !== '';
}

/** Throws `usage` for settings of the index that exclude each other. */
export function assertIndexSettings(
  settings: Pick<Settings, 'indexAddress' | 'readOnlyIndex' | 'learn'>,
): void {
  const { indexAddress, readOnlyIndex, learn } = settings;
  const isCopy = readOnlyIndex !== '';
  if (isOnPostgres(settings)) assertPostgresAddress('VERBATIM_INDEX', indexAddress);
  if (isOnPostgres(settings) && isCopy) {
    throw new VerbatimError(
      'usage',
      'VERBATIM_INDEX and VERBATIM_READ_ONLY_INDEX name two indexes; unset one of them',
    );
  }
  if (!learn || !(isOnPostgres(settings) || isCopy)) return;
  const [variable, what] = isCopy
    ? ['VERBATIM_READ_ONLY_INDEX', 'one that is read-only']
    : ['VERBATIM_INDEX', 'one on PostgreSQL, which only `index add` adds to'];
  throw new VerbatimError(
    'usage',
    `VERBATIM_LEARN adds to the index, and ${variable} names ${what}; unset one of them`,
  );
}

/** The place for searches. Throws `usage` for another kind of address. */
export function postgresPlace(settings: PostgresSettings): PostgresPlace {
  return { postgres: { ...connectionOptions(settings), isPrepared: true } };
}

/** What builds and other commands open. Throws `usage` for another kind of address. */
export function postgresBuildOptions(settings: PostgresSettings): DatabaseOptions & TablesOptions {
  return {
    ...connectionOptions(settings),
    statementTimeoutMs: settings.indexBuildStatementTimeoutMs,
    shards: settings.indexShards,
    vectorIndex: settings.indexVectors === 'bit' ? 'bit' : 'halfvec',
  };
}

function connectionOptions(settings: PostgresSettings): DatabaseOptions {
  assertPostgresAddress('VERBATIM_INDEX', settings.indexAddress);
  return {
    url: settings.indexAddress,
    connectionsMax: settings.indexConnectionsMax,
    connectTimeoutMs: settings.indexConnectTimeoutMs,
    statementTimeoutMs: settings.indexStatementTimeoutMs,
  };
}

/** Throws `usage` if the index is on PostgreSQL, which has no such command. `why` says what to do. */
export function assertInFile(
  settings: Pick<Settings, 'indexAddress'>,
  command: string,
  why: string,
): void {
  if (!isOnPostgres(settings)) return;
  throw new VerbatimError(
    'usage',
    `\`${command}\` is for an index in an SQLite file, and VERBATIM_INDEX names one on PostgreSQL: ${why}`,
  );
}
