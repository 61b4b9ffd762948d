/**
 * The key of a cited work as a citation list names it: one character stands for how the identifiers of large
 * publishers begin. Pure.
 */

/** Files hold the place in this list, from 1, as that character. Nothing may move, and 31 are the most. */
const BEGINNINGS = [
  ...['doi:10.', 'openalex:W', 'doi:10.48550/arxiv.', 'doi:10.1016/j.', 'doi:10.1016/'],
  ...['doi:10.1007/s', 'doi:10.1007/', 'doi:10.1038/s', 'doi:10.1038/', 'doi:10.1111/j.'],
  ...['doi:10.1111/', 'doi:10.1002/', 'doi:10.1103/physrev', 'doi:10.1109/', 'doi:10.1145/'],
  ...['doi:10.1371/journal.pone.0', 'doi:10.1371/journal.p', 'doi:10.1093/', 'doi:10.1080/'],
  ...['doi:10.1177/', 'doi:10.1021/', 'doi:10.1073/pnas.', 'doi:10.1126/science.', 'doi:10.1186/'],
  ...['doi:10.3390/', 'doi:10.3389/f', 'doi:10.1037/', 'doi:10.1063/', 'doi:10.1088/'],
  ...['doi:10.1101/', 'doi:10.1080/0'],
];

const longestFirst = [...BEGINNINGS].sort((a, b) => b.length - a.length);

/** Returns what is stored for a key. */
export function storedWorkOf(key: string): string {
  const beginning = longestFirst.find((each) => key.startsWith(each));
  if (beginning === undefined) return key;
  const code = String.fromCharCode(BEGINNINGS.indexOf(beginning) + 1);
  return code + key.slice(beginning.length);
}

/** Returns the key that was stored. */
export function keyOfStoredWork(stored: string): string {
  const beginning = BEGINNINGS[stored.charCodeAt(0) - 1];
  return beginning === undefined ? stored : beginning + stored.slice(1);
}
