/** Adds to lists of citations the papers that printed references mean. */
import { VerbatimError } from '../errors.ts';
import type { CitationLists } from '../search/papers/citation-lists.ts';
import { matchPrinted } from '../verify/match-printed.ts';
import type { ServiceDeps } from './service-deps.ts';

/**
 * Adds what `matchPrinted` adds. The lists stay as they are while verification is too busy or cannot read the
 * index.
 */
export async function matchPrintedInTurn(
  { verify }: Pick<ServiceDeps, 'verify'>,
  lists: readonly CitationLists[],
  customerId: number,
): Promise<void> {
  try {
    await matchPrinted(lists, async (items) => {
      const { json } = await verify({ items: [...items] }, customerId);
      return JSON.parse(json).items;
    });
  } catch (error) {
    if (!(error instanceof VerbatimError)) throw error;
  }
}
