/** What the records of a document cite together. Pure. */
import { decodeReferences, type WorkKey } from '../../identity/reference-list.ts';
import { keyOfStoredWork } from './stored-work.ts';

export interface DocumentReferences {
  /** The works in the longest list of its records: two lists name the same works differently. */
  count: number;
  /** The keys of each work that one of its records cites, those of the longest list first. */
  works: string[][];
}

/** `workOf` returns the stored work of a key. A key without one is left out: it is damaged. */
export function referencesOf(
  lists: readonly Buffer[],
  workOf: (key: WorkKey) => string | undefined,
): DocumentReferences {
  const decoded = lists.map(decodeReferences).sort((a, b) => b.length - a.length);
  const seen = new Set<WorkKey>();
  const works: string[][] = [];
  for (const keys of decoded.flat()) {
    if (!keys.some((key) => seen.has(key))) {
      works.push(keys.flatMap((key) => workOf(key) ?? []).map(keyOfStoredWork));
    }
    for (const key of keys) seen.add(key);
  }
  return { count: decoded[0]?.length ?? 0, works };
}
