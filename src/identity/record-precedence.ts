/** The precedence of a paper's records: the published version before its preprint. Pure. */
import type { KeptRecord } from './kept-record.ts';
import { nameOf } from './record-keys.ts';

/** DOI prefixes of preprint servers. */
const PREPRINT_DOI = new RegExp(
  `^10\\.(?:${[
    '48550', // arXiv
    '1101', // bioRxiv and medRxiv
    '64898', // openRxiv
    '21203', // Research Square
    '26434', // ChemRxiv
    '20944', // Preprints.org
    '2139', // SSRN
    '31234', // PsyArXiv
    '31219', // OSF
    '31235', // SocArXiv
    '36227', // TechRxiv
    '22541', // ESS Open Archive and Authorea
  ].join('|')})/`,
);

/** Venues that are preprint servers. */
const PREPRINT_VENUE = /\b(?:arxiv|biorxiv|medrxiv|chemrxiv|ssrn|preprints?|corr)\b/i;

export function isPreprintDoi(doi: string): boolean {
  return PREPRINT_DOI.test(doi);
}

/** Whether a venue is a preprint server. */
export function isPreprintVenue(venue: string): boolean {
  return PREPRINT_VENUE.test(venue);
}

/** Whether a record is about the published version, as far as its fields tell. */
export function isPublished({
  identifiers,
  venue,
}: Pick<KeptRecord, 'identifiers' | 'venue'>): boolean {
  if (hasPublishedDoi(identifiers.doi)) return true;
  if (identifiers.pmid !== undefined || identifiers.acl !== undefined) return true;
  return venue !== '' && !isPreprintVenue(venue);
}

/**
 * The records of a paper by falling precedence: a published version with its DOI, another published
 * version, a possible preprint, an abstract alone. Ties go to the later update, then to the name.
 */
export function sortByPrecedence(records: readonly KeptRecord[]): KeptRecord[] {
  return records
    .map((record) => ({ record, precedence: precedenceOf(record), name: nameOf(record) }))
    .sort(
      (a, b) =>
        a.precedence - b.precedence ||
        b.record.updatedAt - a.record.updatedAt ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    )
    .map(({ record }) => record);
}

function precedenceOf(record: KeptRecord): number {
  if (record.part !== 'record') return 3;
  if (hasPublishedDoi(record.identifiers.doi)) return 0;
  return isPublished(record) ? 1 : 2;
}

function hasPublishedDoi(doi: string | undefined): boolean {
  return doi !== undefined && !isPreprintDoi(doi);
}
