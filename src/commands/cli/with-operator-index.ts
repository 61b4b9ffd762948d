/** Opens the index that the settings name, for one command. */
import type { Settings } from '../../config.ts';
import { openOperatorIndex } from '../../operator-index/open-operator-index.ts';
import type { OperatorIndex } from '../../operator-index/operator-index.ts';
import { storeOptions } from './options.ts';

/** Runs work with the index, and always closes it. */
export async function withOperatorIndex<Result>(
  settings: Settings,
  work: (index: OperatorIndex) => Promise<Result>,
): Promise<Result> {
  const index = await openOperatorIndex(settings, storeOptions(settings));
  try {
    return await work(index);
  } finally {
    await index.close();
  }
}
