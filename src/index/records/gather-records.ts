/**
 * Gathers all records that may be about one paper: those that have one of some keys, those that share
 * a key with them, and so on. It asks whoever runs it for the records of keys, so that the same rules
 * hold for every database. Pure.
 */
import { RECORDS_PER_TITLE_MAX } from '../../identity/group-records.ts';
import { keysOf, type TitleKey } from '../../identity/record-keys.ts';
import type { StoredRecord } from './stored-records.ts';

/** Wrong links could join any number of papers. A record that would exceed this is refused. */
export const RECORDS_PER_GROUP_MAX = 200;

export interface Gathered {
  records: StoredRecord[];
  /** Titles that too many records share to be evidence of one paper. */
  series: ReadonlySet<TitleKey>;
}

/** A key whose records are wanted. */
export interface WantedKey {
  key: string;
  /** If there are more, they are not wanted. */
  most: number;
}

/** The records that are stored under the hash of a key; those of other keys may be among them. */
export type RecordsOfKey = readonly StoredRecord[] | 'too many';

/**
 * Yields the keys whose records it needs next, and takes these records in the same order. Returns
 * undefined if the records are too many for one paper.
 */
export function* gatherRecords(
  keys: readonly string[],
): Generator<WantedKey[], Gathered | undefined, readonly RecordsOfKey[]> {
  const records = new Map<number, StoredRecord>();
  const seen = new Set(keys);
  const series = new Set<TitleKey>();
  for (let wanted = [...seen]; wanted.length > 0; ) {
    const found = yield wanted.map((key) => ({ key, most: mostOf(key) }));
    const further: string[] = [];
    for (const [at, key] of wanted.entries()) {
      const ofKey = found[at] as RecordsOfKey;
      if (ofKey === 'too many') {
        if (!key.startsWith('title:')) return undefined;
        series.add(key);
        continue;
      }
      for (const stored of ofKey) {
        if (records.has(stored.number)) continue;
        const own = keysOf(stored.record);
        if (!own.includes(key)) continue;
        records.set(stored.number, stored);
        if (records.size > RECORDS_PER_GROUP_MAX) return undefined;
        for (const one of own) {
          if (seen.has(one)) continue;
          seen.add(one);
          further.push(one);
        }
      }
    }
    wanted = further;
  }
  return { records: [...records.values()], series };
}

/** One more than can link papers, because removing that one links the others. */
function mostOf(key: string): number {
  return key.startsWith('title:') ? RECORDS_PER_TITLE_MAX + 1 : RECORDS_PER_GROUP_MAX;
}
