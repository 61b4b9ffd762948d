/** The rules for linking papers with the same title and first author. Pure. */
import type { Identifiers } from '../types.ts';
import type { Scheme } from './identifiers.ts';
import { isPersonal, type KeptRecord } from './kept-record.ts';
import { isPreprintDoi, isPublished } from './record-precedence.ts';

/** Schemes that name a paper once. OpenAlex and Semantic Scholar have some papers twice. */
const singleSchemes: readonly Scheme[] = ['arxiv', 'pmid', 'pmcid', 'acl'];

/** A preprint is usually published in the same year or the next one. */
export const YEARS_APART_MAX = 1;

/** Records that are already linked. */
export interface Paper {
  records: KeptRecord[];
}

/** The number of the file that a record came from, or null if it came from none. */
export type FileOf = (record: KeptRecord) => number | null;

/**
 * Whether papers with the same title can be one paper. They cannot if their identifiers conflict, or
 * if one source lists them separately, unless one is the preprint and the other is published. Records
 * of personal bibliographies are ignored. For sources without a scheme, each file counts as a source.
 */
export function canBeOnePaper(papers: readonly Paper[], fileOf: FileOf): boolean {
  const curated = papers.map((paper) => paper.records.filter((record) => !isPersonal(record)));
  const records = curated.flat();
  if (haveConflictingIdentifiers(records.map(({ identifiers }) => identifiers))) return false;
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
 * Whether these identifiers cannot all belong to one paper. Two published DOIs conflict, and so do two
 * preprint DOIs, but not one of each. Two ids of a scheme that names a paper once conflict as well.
 */
export function haveConflictingIdentifiers(identifiers: readonly Identifiers[]): boolean {
  const areSeveral = (values: (string | undefined)[]): boolean =>
    new Set(values.filter((value) => value !== undefined)).size > 1;
  const dois = identifiers.flatMap(({ doi }) => doi ?? []);
  return (
    areSeveral(dois.filter(isPreprintDoi)) ||
    areSeveral(dois.filter((doi) => !isPreprintDoi(doi))) ||
    singleSchemes.some((scheme) => areSeveral(identifiers.map((known) => known[scheme])))
  );
}

/** Runs of records whose years are close. A run that spans more years in total is dropped. */
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
