/** Opens the sources of an index for a command. */
import { VerbatimError } from '../../errors.ts';
import { placeOf } from '../../index/open/index-place.ts';
import { openIndex } from '../../index/open/open-index.ts';
import type { SourceStore } from '../../index/sources/source-stores.ts';
import type { Settings } from '../../settings/config.ts';
import type { Source } from '../../sources/ports/source.ts';

/** Runs `work` with the sources of the index. Makes the tables of a new index. */
export async function withSources<Result>(
  settings: Settings,
  work: (store: SourceStore, sources: Source[]) => Promise<Result> | Result,
): Promise<Result> {
  const store = await (await openIndex(placeOf(settings))).sources();
  try {
    return await work(store, (await store.list()) as Source[]);
  } finally {
    await store.close();
  }
}

/** Those with these names; all if none is named. Throws `usage` for a name that is not there. */
export function sourcesNamed(sources: readonly Source[], names: readonly string[]): Source[] {
  if (names.length === 0) return [...sources];
  return names.map((name) => {
    const found = sources.find((source) => source.name === name);
    if (found !== undefined) return found;
    const known = sources.map((source) => source.name).join(', ') || 'none';
    throw new VerbatimError('usage', `there is no source "${name}"; there are: ${known}`);
  });
}
