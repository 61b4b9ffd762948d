/** Opens the index that the settings name for a build, and records its model if it has none. */

import { claimModel } from '../../index/index-facts.ts';
import { isOnPostgres, postgresBuildOptions } from '../../index/open/index-place.ts';
import type { IndexBuilder } from '../../index/ports/index-builder.ts';
import { assertOneServer } from '../../index/postgres/assert-one-server.ts';
import { createSqliteBuilder } from '../../index/sqlite/sqlite-builder.ts';
import type { Settings } from '../../settings/config.ts';
import type { Model } from '../../text/embed/model.ts';
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
  const { openIndexDatabase } = await import(
    '../../index/postgres/migrations/migrate-postgres-index.ts'
  );
  const { openPostgresBuilder } = await import('../../index/postgres/postgres-builder.ts');
  const database = await openIndexDatabase(postgresBuildOptions(settings));
  try {
    await assertOneServer(database);
    return await openPostgresBuilder(database, model);
  } catch (error) {
    await database.close();
    throw error;
  }
}
