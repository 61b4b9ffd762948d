/** Opens the index that the settings name, for one command. */

import { openOperatorIndex } from '../../index/operator/open-operator-index.ts';
import type { OperatorIndex } from '../../index/operator/operator-index.ts';
import type { Settings } from '../../settings/config.ts';
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
