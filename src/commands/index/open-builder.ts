/** Opens the index that the settings name for a build, and records its model if it has none. */
import type { Settings } from '../../config.ts';
import type { Model } from '../../embed/model.ts';
import type { IndexBuilder } from '../../index-builder/index-builder.ts';
import { createSqliteBuilder } from '../../index-builder/sqlite/sqlite-builder.ts';
import { isOnPostgres, postgresBuildOptions } from '../../index-source/open/index-place.ts';
import { claimModel } from '../../store/index/index-facts.ts';
import { assertOneServer } from '../../store/postgres-index/reading/assert-one-server.ts';
import { openOrCreateStore } from '../cli/options.ts';

export interface OpenBuilderOptions {
  model: Model;
  /** Says something that is not a result. */
  say: (text: string) => void;
}

/** Rejects with `model_mismatch` if the index has another model. */
export async function openBuilder(
  settings: Settings,
  options: OpenBuilderOptions,
): Promise<IndexBuilder> {
  return isOnPostgres(settings)
    ? await openOnPostgres(settings, options.model)
    : openInFile(settings, options);
}

function openInFile(settings: Settings, { model, say }: OpenBuilderOptions): IndexBuilder {
  const db = openOrCreateStore(settings, say);
  try {
    claimModel(db, model);
    return createSqliteBuilder(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The library is loaded only here, so that other builds do not pay for it. */
async function openOnPostgres(settings: Settings, model: Model): Promise<IndexBuilder> {
  const { openIndexDatabase } = await import('../../store/postgres-index/migrations/migrate.ts');
  const { openPostgresBuilder } = await import('../../index-builder/postgres/postgres-builder.ts');
  const database = await openIndexDatabase(postgresBuildOptions(settings));
  try {
    await assertOneServer(database);
    return await openPostgresBuilder(database, model);
  } catch (error) {
    await database.close();
    throw error;
  }
}
