/** Finds documents of the index by any form of any identifier. */
import { VerbatimError } from '../../errors.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import { findEachNamed } from '../../index/ports/find-named.ts';
import type { IndexView } from '../../index/ports/index-source.ts';
import type { DocumentNumber } from '../../types.ts';

/** A longer text is the id of no paper. */
const ID_CHARACTERS_MAX = 2_000;

export interface NumberedDocument {
  number: DocumentNumber;
  merged: MergedDocument;
}

/**
 * Returns for each text the only document with this identifier, or undefined, also if it is damaged.
 * Rejects with `bad_request` if several have it: a bare number may belong to more than one scheme.
 */
export async function findEachMerged(
  texts: readonly string[],
  view: IndexView,
): Promise<(NumberedDocument | undefined)[]> {
  const ids = texts.map((text) => (text.length > ID_CHARACTERS_MAX ? '' : text.toWellFormed()));
  const named = await findEachNamed(view, ids);
  const numbers = [...new Set(named.flat())];
  const merged = new Map(
    (await view.merged(numbers)).map((one, at) => [numbers[at], one] as const),
  );
  return named.map((found, at) => {
    const all = found.flatMap((number) => {
      const one = merged.get(number);
      return one === undefined ? [] : { number, merged: one };
    });
    if (all.length < 2) return all[0];
    const known = all.map((one) => one.merged.document.id).join(', ');
    throw new VerbatimError(
      'bad_request',
      `id: several papers have "${ids[at]}"; use one of ${known}`,
    );
  });
}
