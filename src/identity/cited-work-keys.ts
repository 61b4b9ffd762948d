/** The keys of works that papers cite. Pure. */
import type { CitedWork, Identifiers } from '../types.ts';
import { schemes } from './identifiers.ts';
import { schemeKeysOf } from './record-keys.ts';

const TEXT = 'text:';

/**
 * Returns the keys by which the record of the work would be found, or one that stands for the printed
 * reference, which finds no record.
 */
export function keysOfCitedWork({ identifiers, text }: CitedWork): string[] {
  const keys = schemeKeysOf(identifiers);
  return keys.length === 0 && text !== undefined ? [`${TEXT}${text}`] : keys;
}

/** Returns the work with these keys. */
export function citedWorkOf(keys: readonly string[]): CitedWork {
  const identifiers: Identifiers = {};
  for (const key of keys) {
    if (key.startsWith(TEXT)) return { identifiers, text: key.slice(TEXT.length) };
    const scheme = schemes.find((one) => key.startsWith(`${one}:`));
    if (scheme !== undefined) identifiers[scheme] = key.slice(scheme.length + 1);
  }
  return { identifiers };
}
