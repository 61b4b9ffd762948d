/**
 * The key of a cited work as a citation list names it. Most works have a DOI, and each of these lists would
 * repeat the same seven characters, so they are left out. Pure.
 */

const PREFIX = 'doi:10.';

/** No other key begins with a digit. */
const SHORT = /^\d/;

/** Returns what is stored for a key. */
export function storedWorkOf(key: string): string {
  const rest = key.slice(PREFIX.length);
  return key.startsWith(PREFIX) && SHORT.test(rest) ? rest : key;
}

/** Returns the key that was stored. */
export function keyOfStoredWork(stored: string): string {
  return SHORT.test(stored) ? PREFIX + stored : stored;
}
