/**
 * Tells which records are about one paper. It depends on the records alone: whatever order they
 * came in, the same ones make the same papers.
 *
 * 1. Records that share an identifier are one paper: their source says so.
 * 2. Papers with the same title and first author, at most a year apart, are one, if nothing speaks
 *    against it: see `isOnePaper`.
 */
import type { Identifiers } from '../types.ts';
import type { Scheme } from './identifiers.ts';
import type { KeptRecord } from './kept-record.ts';
import { isPreprintDoi, isPublished } from './rank-records.ts';
import { identifierKeysOf, nameOf, type TitleKey, titleKeyOf } from './record-keys.ts';

/** More records with one title are a series, and not one paper. */
export const RECORDS_PER_TITLE_MAX = 8;

/** Schemes of which a paper has one value. OpenAlex and Semantic Scholar have papers twice. */
const singleSchemes: readonly Scheme[] = ['arxiv', 'pmid', 'pmcid', 'acl'];

/** A preprint is published in the same year or the next one. */
const YEARS_APART_MAX = 1;

interface Paper {
  records: KeptRecord[];
}

/**
 * The records of each paper. `records` must hold all that share a key with one of them, but for the
 * titles of a series: these are known to have more records, and link none.
 */
export function groupRecords(
  records: readonly KeptRecord[],
  series: ReadonlySet<TitleKey> = new Set(),
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
    for (const near of splitByYear(sharing)) {
      const papers = new Set(near.map((record) => paperOf.get(record) as Paper));
      if (isOnePaper([...papers])) join(near);
    }
  }
  return [...new Set(paperOf.values())].map((paper) => paper.records);
}

/**
 * Whether papers with one title may be one. Not where their identifiers differ: see
 * `areIdentifiersDistinct`; and not where one source has them apart, unless the one is the preprint
 * and the other is published.
 */
function isOnePaper(papers: readonly Paper[]): boolean {
  const records = papers.flatMap((paper) => paper.records);
  if (areIdentifiersDistinct(records.map(({ identifiers }) => identifiers))) return false;
  const sources = new Set(records.map(({ source }) => source));
  return [...sources].every((source) => {
    const having = papers.filter((paper) => paper.records.some((one) => one.source === source));
    if (having.length === 1) return true;
    if (source === '' || having.length > 2) return false;
    return having.filter((paper) => paper.records.some(isPublished)).length === 1;
  });
}

/**
 * Whether these cannot all be of one paper: two have different DOIs, unless one of them is that of
 * a preprint, or different ids of a scheme that names a paper once.
 */
export function areIdentifiersDistinct(identifiers: readonly Identifiers[]): boolean {
  const areSeveral = (values: (string | undefined)[]): boolean =>
    new Set(values.filter((value) => value !== undefined)).size > 1;
  const dois = identifiers.flatMap(({ doi }) => doi ?? []);
  return (
    areSeveral(dois.filter(isPreprintDoi)) ||
    areSeveral(dois.filter((doi) => !isPreprintDoi(doi))) ||
    singleSchemes.some((scheme) => areSeveral(identifiers.map((known) => known[scheme])))
  );
}

/** Runs of records that lie near each other; one that stretches over more years is none. */
function splitByYear(records: readonly KeptRecord[]): KeptRecord[][] {
  const runs: KeptRecord[][] = [];
  for (const record of [...records].sort((a, b) => a.year - b.year)) {
    const run = runs.at(-1);
    const isNear = run !== undefined && record.year - (run.at(-1)?.year ?? 0) <= YEARS_APART_MAX;
    if (isNear) run.push(record);
    else runs.push([record]);
  }
  return runs.filter((run) => {
    const years = (run.at(-1)?.year ?? 0) - (run[0]?.year ?? 0);
    return run.length > 1 && years <= YEARS_APART_MAX;
  });
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
