/** Opens the index that the settings name. */
import { assertModel } from '../../store/index/index-facts.ts';
import { type IndexOptions, openIndex } from '../../store/open-index.ts';
import type { ModelIdentity } from '../../types.ts';
import type { IndexSource } from '../index-source.ts';
import { createSqliteSource, type SqliteLimits } from '../sqlite/sqlite-source.ts';

/** The limits of what a search reads. */
export type SourceLimits = SqliteLimits;

export interface SourceOptions {
  store: IndexOptions;
  limits: SourceLimits;
}

/**
 * Opens a source. Rejects with `model_mismatch` if a model is given and the index has another one, and
 * with `database_unusable` or `migration_needed`.
 */
export async function openSource(
  { store, limits }: SourceOptions,
  model?: ModelIdentity,
): Promise<IndexSource> {
  const assertUsable = model && ((db: Parameters<typeof assertModel>[0]) => assertModel(db, model));
  return createSqliteSource(openIndex(store, assertUsable), limits);
}
