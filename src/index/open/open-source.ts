/** Opens the index that the settings name. */

import type { ModelIdentity } from '../../types.ts';
import { assertModel } from '../index-facts.ts';
import type { IndexSource } from '../ports/index-source.ts';
import type { OnDamage } from '../ports/report-damaged.ts';
import type { PostgresLimits } from '../postgres/postgres-source.ts';
import { openIndex } from '../sqlite/open-index.ts';
import { createSqliteSource, type SqliteLimits } from '../sqlite/sqlite-source.ts';
import type { IndexPlace } from './index-place.ts';

/** The limits of what a search reads. */
export type SourceLimits = SqliteLimits & PostgresLimits;

export interface SourceOptions {
  store: IndexPlace;
  limits: SourceLimits;
}

export interface OpenSourceOptions extends SourceOptions {
  /** Absent: Node prints a warning. */
  onDamage?: OnDamage | undefined;
}

/**
 * Opens a source. Rejects with `model_mismatch` if a model is given and the index has another one, and
 * with `database_unusable` or `migration_needed`. On PostgreSQL, views do so.
 */
export async function openSource(
  { store, limits, onDamage }: OpenSourceOptions,
  model?: ModelIdentity,
): Promise<IndexSource> {
  if ('postgres' in store) {
    // Loaded only here, so that nobody else pays for the library.
    const { openDatabase } = await import('../../database/postgres/postgres-database.ts');
    const { createPostgresSource } = await import('../postgres/postgres-source.ts');
    return createPostgresSource(openDatabase(store.postgres), limits, { model, onDamage });
  }
  const assertUsable = model && ((db: Parameters<typeof assertModel>[0]) => assertModel(db, model));
  return createSqliteSource(openIndex(store, assertUsable), limits, onDamage);
}
