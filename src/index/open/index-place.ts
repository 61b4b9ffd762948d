/** Where the index is, as the settings say it. */

import { assertPostgresAddress } from '../../database/postgres/assert-address.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';
import type { PostgresOptions } from '../postgres/postgres-index.ts';
import type { SqlitePlace } from '../sqlite/index-file.ts';

/** In an SQLite file, in a folder of copies, or on PostgreSQL. Threads get it as it is. */
export type IndexPlace = SqlitePlace | { postgres: PostgresOptions };

/** Throws `usage` for another kind of address. */
export function placeOf(settings: Settings): IndexPlace {
  const { lockWaitMs, pageBytesCachedMax, walBytesMax } = settings;
  if (!isOnPostgres(settings)) {
    const { database: path, readOnlyIndex: copies } = settings;
    return { path, lockWaitMs, pageBytesCachedMax, walBytesMax, copies };
  }
  assertPostgresAddress('VERBATIM_INDEX', settings.indexAddress);
  return {
    postgres: {
      url: settings.indexAddress,
      connectionsMax: settings.indexConnectionsMax,
      connectTimeoutMs: settings.indexConnectTimeoutMs,
      statementTimeoutMs: settings.indexStatementTimeoutMs,
      buildStatementTimeoutMs: settings.indexBuildStatementTimeoutMs,
      factsKeptMs: settings.indexFactsKeptMs,
      shards: settings.indexShards,
      vectorIndex: settings.indexVectors === 'bit' ? 'bit' : 'halfvec',
    },
  };
}

/** The same for searches. Throws `usage` also for settings that exclude each other. */
export function indexPlace(settings: Settings): IndexPlace {
  assertIndexSettings(settings);
  return placeOf(settings);
}

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
