/** The complete list of a source, as its store notes it while it is read. */
import type { SourceStore } from '../index/sources/source-stores.ts';
import { listKeyOf } from '../ingest/name-set.ts';
import type { ListPages } from './remove-unlisted.ts';

/** The records of a source, compared with those that were noted. */
export function notedList(
  source: string,
  store: Pick<SourceStore, 'recordsOf' | 'seenAmong'>,
): ListPages {
  return async function* pages() {
    for (let after = 0; ; ) {
      const records = await store.recordsOf(source, after);
      const last = records.at(-1);
      if (last === undefined) return;
      after = last.number;
      const keys = records.map(listKeyOf);
      const seen = await store.seenAmong(source, keys);
      const unlisted = records.filter((_, at) => !seen.has(keys[at] as number));
      yield { records: records.length, unlisted };
    }
  };
}
