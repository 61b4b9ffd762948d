/** Reads documents of a view for verification, where the items of a call often need the same ones. */
import type { DocumentNumber } from '../types.ts';

/** Texts that are kept. With what is made of them, they take some 30 MB. */
const KEPT_CHARACTERS_MAX = 500_000;

export interface ReadOnceOptions<Stored, Kept> {
  /** Undefined for a damaged document. */
  read: (numbers: readonly DocumentNumber[]) => Promise<readonly (Stored | undefined)[]>;
  /** Makes what is kept of a document. */
  prepare: (stored: Stored) => Kept;
  charactersOf: (stored: Stored) => number;
}

/**
 * Returns a reader that reads each document once, but starts anew when it has kept too much. It leaves out
 * damaged documents, which are no evidence.
 */
export function readOnce<Stored, Kept>({
  read,
  prepare,
  charactersOf,
}: ReadOnceOptions<Stored, Kept>): (numbers: readonly DocumentNumber[]) => Promise<Kept[]> {
  const kept = new Map<DocumentNumber, Kept | undefined>();
  let characters = 0;
  return async (numbers) => {
    const missing = numbers.filter((number) => !kept.has(number));
    const stored = missing.length === 0 ? [] : await read(missing);
    for (const [at, number] of missing.entries()) {
      const one = stored[at];
      kept.set(number, one && prepare(one));
      characters += one === undefined ? 0 : charactersOf(one);
    }
    const documents = numbers.flatMap((number) => kept.get(number) ?? []);
    if (characters > KEPT_CHARACTERS_MAX) {
      kept.clear();
      characters = 0;
    }
    return documents;
  };
}
