/** Opens an index, wherever it is. */
import type { Index } from '../ports/index.ts';
import { createSqliteIndex } from '../sqlite/sqlite-index.ts';
import type { IndexPlace } from './index-place.ts';

export async function openIndex(place: IndexPlace): Promise<Index> {
  if (!('postgres' in place)) return createSqliteIndex(place);
  // Loaded only here, so that nobody else pays for the library.
  const { createPostgresIndex } = await import('../postgres/postgres-index.ts');
  return createPostgresIndex(place.postgres);
}
