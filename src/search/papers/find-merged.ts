/** Finds a document of the index by any form of any identifier. */
import { VerbatimError } from '../../errors.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import { findNamed } from '../../index/ports/find-named.ts';
import type { IndexView } from '../../index/ports/index-source.ts';

/** A longer text is the id of no paper. */
const ID_CHARACTERS_MAX = 2_000;

/**
 * Returns the only document with this identifier, or undefined, also if it is damaged. Rejects with `bad_request` if several
 * have it: a bare number may belong to more than one scheme.
 */
export async function findMerged(
  text: string,
  view: IndexView,
): Promise<MergedDocument | undefined> {
  if (text.length > ID_CHARACTERS_MAX) return undefined;
  const id = text.toWellFormed();
  const found = (await view.merged(await findNamed(view, id))).filter(
    (merged) => merged !== undefined,
  );
  if (found.length < 2) return found[0];
  const ids = found.map(({ document }) => document.id).join(', ');
  throw new VerbatimError('bad_request', `id: several papers have "${id}"; use one of ${ids}`);
}
