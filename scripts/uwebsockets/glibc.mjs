/**
 * Lets a library that was linked against glibc 2.38 run on glibc 2.36 (Debian 12). The newer
 * compiler named three functions `__isoc23_…`: these also read binary numbers such as "0b101",
 * which uWebSockets never has to. Their older namesakes are in every glibc.
 */
import {
  changeSymbol,
  machineOf,
  readSymbols,
  readVersionNeeds,
  replaceVersionNeed,
} from './elf.mjs';

const PREFIX = '__isoc23_';
/** The functions that are known to have an older namesake that does the same. */
const NAMESAKES = ['strtol', 'strtoul', 'sscanf'];
/** The newest glibc that a library may need in the end: that of Debian 12. */
const NEWEST_MINOR = 36;
/** The oldest version of all functions, by the processor. */
const OLDEST_VERSIONS = { 62: 'GLIBC_2.2.5', 183: 'GLIBC_2.17' };

/**
 * Changes the library in place. Does nothing to one that needs no newer glibc. Throws where it
 * needs a function that has no known namesake.
 */
export function lowerGlibc(bytes) {
  const needs = readVersionNeeds(bytes);
  const newer = needs.filter(({ name }) => isTooNew(name));
  if (newer.length === 0) return;
  const oldest = needs.find(
    ({ library, name }) => library === 'libc.so.6' && name === OLDEST_VERSIONS[machineOf(bytes)],
  );
  if (oldest === undefined) throw new Error('the library needs no function of the oldest glibc');
  const indexes = new Set(newer.map(({ index }) => index));
  for (const symbol of readSymbols(bytes).filter(({ version }) => indexes.has(version))) {
    const namesake = symbol.name.startsWith(PREFIX) && symbol.name.slice(PREFIX.length);
    if (!NAMESAKES.includes(namesake)) {
      const versions = newer.map(({ name }) => name).join(', ');
      throw new Error(
        `the library needs ${symbol.name} of ${versions}, which has no older namesake`,
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
