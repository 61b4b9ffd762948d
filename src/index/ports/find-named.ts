/** Finds documents by any form of any identifier. */
import { identifiersOf, schemes } from '../../identity/identifiers.ts';
import { idKeyOf, schemeKeysOf } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import type { IndexView } from './index-source.ts';

/**
 * Returns the document with exactly this id, or else those with the identifier. A bare number may belong
 * to more than one scheme.
 */
export async function findNamed(
  view: Pick<IndexView, 'withIds' | 'withKeys'>,
  name: string,
): Promise<DocumentNumber[]> {
  const id = name.trim();
  const [exact] = await view.withIds([id]);
  if (exact !== undefined) return [exact];
  const [found = []] = await view.withKeys([keysNamed(id)]);
  return found;
}

/** Returns the keys of all identifiers that a name may be. */
export function keysNamed(name: string): string[] {
  const id = name.trim();
  const forms = identifiersOf(Object.fromEntries(schemes.map((scheme) => [scheme, id])));
  return [idKeyOf(id), ...schemeKeysOf(forms)];
}
