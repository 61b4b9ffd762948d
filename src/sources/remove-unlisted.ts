/** Removes the records of a source that its complete list no longer has. */
import { VerbatimError } from '../errors.ts';
import { hashKey, type NamedRecord, nameKeyOf } from '../identity/record-keys.ts';
import type { Deletion } from '../index/records/plan-change.ts';
import type { FiledRecord } from '../index/sources/source-operations.ts';
import type { SourceStore } from '../index/sources/source-stores.ts';
import { type DeleteOptions, deleteRecords } from '../ingest/delete-records.ts';

export const EXAMPLES_SHOWN = 3;

export interface RemoveOptions extends DeleteOptions {
  store: Pick<SourceStore, 'recordsOf' | 'seenAmong' | 'clearSeen'>;
  /** Whether more than half may be removed. */
  isAccepted: boolean;
  /** Called after each page. */
  renew: () => Promise<void>;
}

/** Rejects with `would_replace`, and removes nothing, if that would be more than half of the records. */
export async function removeUnlisted(source: string, options: RemoveOptions): Promise<void> {
  const { store, isAccepted, renew } = options;
  if (!isAccepted) await assertMinority(source, options);
  for await (const { unlisted } of pages(source, store)) {
    await deleteRecords(unlisted.map(deletionOf), options);
    await renew();
  }
  await store.clearSeen(source);
}

/** The key by which a record is noted as listed. */
export function listKeyOf(record: NamedRecord): number {
  return hashKey(nameKeyOf(record));
}

async function assertMinority(source: string, { store }: RemoveOptions): Promise<void> {
  let [records, unlisted] = [0, 0];
  const examples: FiledRecord[] = [];
  for await (const page of pages(source, store)) {
    records += page.records;
    unlisted += page.unlisted.length;
    examples.push(...page.unlisted.slice(0, EXAMPLES_SHOWN - examples.length));
  }
  if (unlisted <= records / 2) return;
  const shown = examples.map(({ title }) => JSON.stringify(title.slice(0, 80))).join(', ');
  throw wouldShrink(`${unlisted} of ${records} records are no longer listed, such as ${shown}`);
}

/** The error of a source that would lose more than half of its papers. */
export function wouldShrink(what: string): VerbatimError {
  return new VerbatimError(
    'would_replace',
    `nothing more was removed: ${what}; to remove them, use --accept`,
  );
}

interface Page {
  records: number;
  unlisted: FiledRecord[];
}

async function* pages(source: string, store: RemoveOptions['store']): AsyncGenerator<Page> {
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
}

/** By the name that its source gives it, because other identifiers may belong to other records, too. */
function deletionOf({ source, id, identifiers }: FiledRecord): Deletion {
  const own = Object.entries(identifiers).filter(([scheme]) => scheme === source);
  if (own.length > 0) return { source, deletion: Object.fromEntries(own) };
  return { source, deletion: {}, id };
}
