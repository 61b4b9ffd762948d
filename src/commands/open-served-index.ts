/** Opens the index of a server, wherever the settings say that it is, for its main thread. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import { noticing, noticingAll } from '../database/damage/notice-damage.ts';
import { INDEX, isOfIndex, LOOK_UPS, type PartInUse } from '../database/damage/parts.ts';
import { assertModel, earlierModelOf, REEMBED_ADVICE } from '../index/index-facts.ts';
import {
  type IndexPlace,
  type PostgresPlace,
  postgresBuildOptions,
} from '../index/open/index-place.ts';
import type { IndexReaders } from '../index/ports/index-readers.ts';
import type { IndexSource } from '../index/ports/index-source.ts';
import { type IndexOptions, openIndex } from '../index/sqlite/open-index.ts';
import { createSqliteReaders } from '../index/sqlite/sqlite-readers.ts';
import { createSqliteSource } from '../index/sqlite/sqlite-source.ts';
import type { Log } from '../log.ts';
import { createIndexVersion, type IndexVersionOf } from '../search/index-version.ts';
import type { Settings } from '../settings/config.ts';
import type { Model } from '../text/embed/model.ts';
import { followCopies } from './follow-copies.ts';

export interface ServedIndex {
  /** Where threads find it. */
  place: IndexPlace;
  readers: IndexReaders;
  source: Pick<IndexSource, 'view'>;
  /** Counts the files that were taken over. */
  switches(): number;
  close(): Promise<void>;
}

export interface OpenServedIndexOptions {
  settings: Settings;
  place: IndexPlace;
  model: Model;
  log: Log;
  damage: DamageRegister;
}

/** Rejects with `model_mismatch` or `database_unusable`, and with `degraded` if PostgreSQL is down. */
export async function openServedIndex(options: OpenServedIndexOptions): Promise<ServedIndex> {
  const { place, model, settings } = options;
  const versionOf = createIndexVersion(model.queryEncoder, settings);
  return 'postgres' in place
    ? await openOnPostgres(options, place, versionOf)
    : openInFile(options, place, versionOf);
}

function openInFile(
  { settings, model, log, damage }: OpenServedIndexOptions,
  place: IndexOptions,
  versionOf: IndexVersionOf,
): ServedIndex {
  const index = openIndex(place, (opened) => assertModel(opened, model));
  const earlier = earlierModelOf(index.db(), model);
  if (earlier !== undefined) {
    log.info('index_of_earlier_model', { model: earlier.name, advice: REEMBED_ADVICE });
  }
  const stopFollowing = followCopies(index, {
    log,
    checkMs: settings.indexCopyCheckMs,
    onSwitch: () => damage.forget(isOfIndex),
  });
  const { view } = createSqliteSource(index, settings, damage.report);
  return {
    place,
    readers: noticingAll(damage, partOfReader, createSqliteReaders(index, versionOf)),
    source: { view: noticing(damage, LOOK_UPS, view) as typeof view },
    switches: index.switches,
    async close() {
      stopFollowing();
      index.close();
    },
  };
}

/** Before or after each search, the documents are counted and the state is named. */
function partOfReader(name: string): PartInUse {
  return ['totals', 'countDocuments', 'indexVersion'].includes(name) ? INDEX : LOOK_UPS;
}

/** Makes the tables of a new index, so that a server may start before the first build. */
async function openOnPostgres(
  { settings, model, damage }: OpenServedIndexOptions,
  place: PostgresPlace,
  versionOf: IndexVersionOf,
): Promise<ServedIndex> {
  // The library is loaded only here, so that other servers do not pay for it.
  const { openIndexDatabase } = await import(
    '../index/postgres/migrations/migrate-postgres-index.ts'
  );
  const { openDatabase } = await import('../database/postgres/postgres-database.ts');
  const { createPostgresReaders } = await import('../index/postgres/postgres-readers.ts');
  const { createPostgresSource } = await import('../index/postgres/postgres-source.ts');
  await (await openIndexDatabase(postgresBuildOptions(settings))).close();
  const database = openDatabase(place.postgres);
  const source = createPostgresSource(database, settings, { model, onDamage: damage.report });
  try {
    await source.model();
  } catch (error) {
    await source.close();
    throw error;
  }
  const keptMs = settings.indexFactsKeptMs;
  return {
    place,
    readers: createPostgresReaders(database, { keptMs, model, versionOf }),
    source,
    switches: () => 0,
    close: source.close,
  };
}
