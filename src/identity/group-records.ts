/**
 * Groups records that are about the same paper. The result depends on nothing but the records: in any
 * order, the same records make the same papers.
 *
 * 1. Records that share an identifier are one paper.
 * 2. Papers with the same title and first author, at most a year apart, are one paper unless
 *    something contradicts it: see `canBeOnePaper`.
 * 3. A paper that only personal bibliographies have joins a matching one: see
 *    link-personal-records.ts. It never prevents the others from merging.
 */

import { isPersonal, type KeptRecord } from './kept-record.ts';
import { linkPersonalRecords } from './link-personal-records.ts';
import { canBeOnePaper, type FileOf, type Paper, splitByYear } from './linkage-rules.ts';
import { identifierKeysOf, nameOf, type TitleKey, titleKeyOf } from './record-keys.ts';

/** A title with more records than this links no papers, whatever their sources. */
export const RECORDS_PER_TITLE_MAX = 40;

/** A title with more records of curated sources than this is a series, not a paper. */
const CURATED_PER_TITLE_MAX = 8;

export interface GroupingOptions {
  /** Titles with too many records to read all of them. They link no papers. */
  series?: ReadonlySet<TitleKey>;
  fileOf?: FileOf;
}

/**
 * The records of each paper. `records` must be complete: every record that shares a key with one of
 * them must be among them, except for the titles in `series`.
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
      if (canBeOnePaper([...papers], fileOf)) join(near);
    }
    linkPersonalRecords(sharing, { paperOf, join });
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
