/** What speaks for and against papers with the same title and first author being one. Pure. */
import type { Identifiers } from '../types.ts';
import type { Scheme } from './identifiers.ts';
import { isPersonal, type KeptRecord } from './kept-record.ts';
import { isPreprintDoi, isPublished } from './rank-records.ts';

/** Schemes of which a paper has one value. OpenAlex and Semantic Scholar have papers twice. */
const singleSchemes: readonly Scheme[] = ['arxiv', 'pmid', 'pmcid', 'acl'];

/** A preprint is published in the same year or the next one. */
export const YEARS_APART_MAX = 1;

/** Records that are known to be of one paper. */
export interface Paper {
  records: KeptRecord[];
}

/** The number of the file that a record came from; null where it came from none. */
export type FileOf = (record: KeptRecord) => number | null;

/**
 * Whether papers with one title may be one. Not where their identifiers differ: see
 * `areIdentifiersDistinct`; and not where one source has them apart, unless the one is the preprint
 * and the other is published. What personal bibliographies say of the papers counts for nothing
 * here. Of sources without a scheme each file counts as one.
 */
export function isOnePaper(papers: readonly Paper[], fileOf: FileOf): boolean {
  const curated = papers.map((paper) => paper.records.filter((record) => !isPersonal(record)));
  const records = curated.flat();
  if (areIdentifiersDistinct(records.map(({ identifiers }) => identifiers))) return false;
  const originOf = (record: KeptRecord): string =>
    record.source === '' ? `file ${fileOf(record)}` : record.source;
  return [...new Set(records.map(originOf))].every((origin) => {
    const having = curated.filter((own) => own.some((record) => originOf(record) === origin));
    if (having.length === 1) return true;
    if (origin.startsWith('file ') || having.length > 2) return false;
    return having.filter((own) => own.some(isPublished)).length === 1;
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
export function splitByYear(records: readonly KeptRecord[]): KeptRecord[][] {
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
