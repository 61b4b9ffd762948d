/** Finds documents by any form of any identifier. */
import { identifiersOf, schemes } from '../../identity/identifiers.ts';
import { idKeyOf, schemeKeysOf } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import type { IndexView } from './index-source.ts';

type NamedView = Pick<IndexView, 'withIds' | 'withKeys'>;

/**
 * Returns the document with exactly this id, or else those with the identifier. A bare number may belong
 * to more than one scheme.
 */
export async function findNamed(view: NamedView, name: string): Promise<DocumentNumber[]> {
  const [found = []] = await findEachNamed(view, [name]);
  return found;
}

/** Returns for each name what `findNamed` does. */
export async function findEachNamed(
  view: NamedView,
  names: readonly string[],
): Promise<DocumentNumber[][]> {
  const exact = await view.withIds(names.map((name) => name.trim()));
  const others = names.filter((_, at) => exact[at] === undefined);
  const found = others.length === 0 ? [] : await view.withKeys(others.map(keysNamed));
  const rest = found.values();
  return exact.map((number) => (number === undefined ? (rest.next().value ?? []) : [number]));
}

/** Returns the keys of all identifiers that a name may be. */
export function keysNamed(name: string): string[] {
  const id = name.trim();
  const forms = identifiersOf(Object.fromEntries(schemes.map((scheme) => [scheme, id])));
  return [idKeyOf(id), ...schemeKeysOf(forms)];
}
