/** Opens the index that the settings name, for one command. */

import { placeOf } from '../../index/open/index-place.ts';
import { openIndex } from '../../index/open/open-index.ts';
import type { OperatorIndex } from '../../index/ports/operator-index.ts';
import type { Settings } from '../../settings/config.ts';

/** Runs work with the index, and always closes it. */
export async function withOperatorIndex<Result>(
  settings: Settings,
  work: (index: OperatorIndex) => Promise<Result>,
): Promise<Result> {
  const index = await (await openIndex(placeOf(settings))).operator();
  try {
    return await work(index);
  } finally {
    await index.close();
  }
}
