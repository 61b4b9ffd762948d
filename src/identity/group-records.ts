/**
 * Tells which records are about one paper. It depends on the records alone: whatever order they
 * came in, the same ones make the same papers.
 *
 * 1. Records that share an identifier are one paper: their source says so.
 * 2. Papers with the same title and first author, at most a year apart, are one, if nothing speaks
 *    against it: see `isOnePaper`.
 * 3. A paper that only personal bibliographies have joins the one that it may be: see
 *    join-personal.ts. It never speaks against a merge of the others.
 */

import { joinPersonal } from './join-personal.ts';
import { isPersonal, type KeptRecord } from './kept-record.ts';
import { type FileOf, isOnePaper, type Paper, splitByYear } from './one-paper.ts';
import { identifierKeysOf, nameOf, type TitleKey, titleKeyOf } from './record-keys.ts';

/** More records with one title link no papers, whoever has them. */
export const RECORDS_PER_TITLE_MAX = 40;

/** More records of curated sources with one title are a series, and not one paper. */
const CURATED_PER_TITLE_MAX = 8;

export interface GroupingOptions {
  /** Titles that are known to have more records than were read, and link none. */
  series?: ReadonlySet<TitleKey>;
  /** The file that a record came from. */
  fileOf?: FileOf;
}

/**
 * The records of each paper. `records` must hold all that share a key with one of them, but for the
 * titles of a series.
 */
export function groupRecords(
  records: readonly KeptRecord[],
  { series = new Set(), fileOf = () => null }: GroupingOptions = {},
): KeptRecord[][] {
  if (records.length === 1) return [[...records]];
  const sorted = sortBy(records, nameOf);
  const paperOf = new Map<KeptRecord, Paper>(sorted.map((one) => [one, { records: [one] }]));
  const join = (parts: readonly KeptRecord[]): void => {
    const papers = new Set(parts.map((record) => paperOf.get(record) as Paper));
    const paper = { records: [...papers].flatMap((each) => each.records) };
    for (const record of paper.records) paperOf.set(record, paper);
  };
  for (const sharing of groupBy(sorted, identifierKeysOf).values()) join(sharing);
  const byTitle = groupBy(sorted, (record) =>
    [titleKeyOf(record)].filter((key) => key !== undefined),
  );
  for (const [title, sharing] of sortBy([...byTitle], ([key]: [TitleKey, KeptRecord[]]) => key)) {
    if (sharing.length > RECORDS_PER_TITLE_MAX || series.has(title)) continue;
    const curated = sharing.filter((record) => !isPersonal(record));
    if (curated.length > CURATED_PER_TITLE_MAX) continue;
    for (const near of splitByYear(curated)) {
      const papers = new Set(near.map((record) => paperOf.get(record) as Paper));
      if (isOnePaper([...papers], fileOf)) join(near);
    }
    joinPersonal(sharing, { paperOf, join });
  }
  return [...new Set(paperOf.values())].map((paper) => paper.records);
}

function groupBy(
  records: readonly KeptRecord[],
  keysOf: (record: KeptRecord) => readonly string[],
): Map<string, KeptRecord[]> {
  const groups = new Map<string, KeptRecord[]>();
  for (const record of records) {
    for (const key of keysOf(record)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
  }
  return groups;
}

function sortBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}
