/** Removes the records of a source that its complete list no longer has. */
import { VerbatimError } from '../errors.ts';
import type { NamedRecord } from '../identity/record-keys.ts';
import type { Deletion } from '../index/records/plan-change.ts';
import { type DeleteOptions, deleteRecords } from '../ingest/delete-records.ts';

export const EXAMPLES_SHOWN = 3;

export interface ListedRecord extends NamedRecord {
  title: string;
}

/** Records of a source, and which of them its list does not have. */
export interface ListPage {
  records: number;
  unlisted: readonly ListedRecord[];
}

/** Yields all records of a source. */
export type ListPages = () => AsyncIterable<ListPage>;

export interface RemoveOptions extends DeleteOptions {
  /** Called after each page. */
  afterPage: () => Promise<void>;
}

/** May be repeated. */
export async function removeUnlisted(pages: ListPages, options: RemoveOptions): Promise<void> {
  for await (const { unlisted } of pages()) {
    await deleteRecords(unlisted.map(deletionOf), options);
    await options.afterPage();
  }
}

export interface Unlisted {
  records: number;
  unlisted: number;
  /** The titles of some that are not listed. */
  examples: string[];
}

export async function countUnlisted(pages: ListPages): Promise<Unlisted> {
  const counted: Unlisted = { records: 0, unlisted: 0, examples: [] };
  for await (const { records, unlisted } of pages()) {
    counted.records += records;
    counted.unlisted += unlisted.length;
    const some = unlisted.slice(0, EXAMPLES_SHOWN - counted.examples.length);
    counted.examples.push(...some.map(({ title }) => title.slice(0, 80)));
  }
  return counted;
}

/** Describes them, as in `2 of 9 records are no longer listed, such as "Tides"`. */
export function describeUnlisted({ records, unlisted, examples }: Unlisted): string {
  const shown = examples.map((title) => JSON.stringify(title)).join(', ');
  const such = shown === '' ? '' : `, such as ${shown}`;
  return `${unlisted} of ${records} records are no longer listed${such}`;
}

/** Throws `would_replace` if more than half of the records would be removed. */
export function assertMinority(counted: Unlisted): void {
  if (isMajority(counted)) throw wouldShrink(describeUnlisted(counted));
}

export function isMajority({ records, unlisted }: Unlisted): boolean {
  return unlisted > records / 2;
}

/** The error of a source that would lose more than half of its papers. */
export function wouldShrink(what: string): VerbatimError {
  return new VerbatimError(
    'would_replace',
    `nothing more was removed: ${what}; to remove them, use --accept`,
  );
}

/** By the name that its source gives it, because other identifiers may belong to other records, too. */
function deletionOf({ source, id, identifiers }: ListedRecord): Deletion {
  const own = Object.entries(identifiers).filter(([scheme]) => scheme === source);
  if (own.length > 0) return { source, deletion: Object.fromEntries(own) };
  return { source, deletion: {}, id };
}
