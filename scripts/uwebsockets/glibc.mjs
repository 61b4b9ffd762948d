/**
 * Lets a library that was linked against glibc 2.38 run on glibc 2.36 (Debian 12). The library calls
 * three functions by their new names, `__isoc23_…`. The new functions also read binary numbers such
 * as "0b101", which uWebSockets never needs. Every glibc has the functions with the old names.
 */
import {
  changeSymbol,
  machineOf,
  readSymbols,
  readVersionNeeds,
  replaceVersionNeed,
} from './elf.mjs';

const PREFIX = '__isoc23_';
/** The functions whose old version is known to do the same. */
const NAMESAKES = ['strtol', 'strtoul', 'sscanf'];
/** The newest glibc that a changed library may need: the one in Debian 12. */
const NEWEST_MINOR = 36;
/** The oldest version of all functions, by processor type. */
const OLDEST_VERSIONS = { 62: 'GLIBC_2.2.5', 183: 'GLIBC_2.17' };

/**
 * Changes the library in place, if it needs a newer glibc. Throws if it needs a new function without
 * a known older version.
 */
export function lowerGlibc(bytes) {
  const needs = readVersionNeeds(bytes);
  const newer = needs.filter(({ name }) => isTooNew(name));
  if (newer.length === 0) return;
  const oldest = needs.find(
    ({ library, name }) => library === 'libc.so.6' && name === OLDEST_VERSIONS[machineOf(bytes)],
  );
  if (oldest === undefined) throw new Error('the library needs no function from the oldest glibc');
  const indexes = new Set(newer.map(({ index }) => index));
  for (const symbol of readSymbols(bytes).filter(({ version }) => indexes.has(version))) {
    const namesake = symbol.name.startsWith(PREFIX) && symbol.name.slice(PREFIX.length);
    if (!NAMESAKES.includes(namesake)) {
      const versions = newer.map(({ name }) => name).join(', ');
      throw new Error(
        `the library needs ${symbol.name} of ${versions}, which has no known older version`,
      );
    }
    changeSymbol(bytes, symbol, { prefixLength: PREFIX.length, version: oldest });
  }
  for (const need of newer) replaceVersionNeed(bytes, need, { by: oldest });
}

function isTooNew(version) {
  const minor = /^GLIBC_2\.(\d+)/.exec(version)?.[1];
  return minor !== undefined && Number(minor) > NEWEST_MINOR;
}
