/**
 * Works of Crossref: of its public data files and snapshots, in files of {"items": [...]} or one
 * JSON object a line (since 2025), and of its API, a page of works or one. Abstracts are JATS.
 */

import { type CrossrefUpdate, readCrossrefUpdate } from '../../identity/crossref-updates.ts';
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import { lineOf, nameOf, yearOf } from '../json/citeproc.ts';
import {
  firstText,
  type JsonRecord,
  readObject,
  readObjects,
  readTimeIfAny,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import type { EntryContent, Supplement } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { printReference, referencesOf, type WrittenReference } from '../values/cited-works.ts';
import { detailsOf } from '../values/details.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';

/** Types of what is part of a paper, about one, or holds many. */
const NOT_PAPERS = new Set(
  `component peer-review grant journal journal-issue journal-volume book-series book-set book-track
  proceedings proceedings-series report-series report-component standard-series database`.split(
    /\s+/,
  ),
);

/** From the one that names the issue to the one that only says when it was registered. */
const DATES = ['issued', 'published', 'published-print', 'published-online', 'posted', 'created'];

export const crossrefFormat = jsonFormat({
  name: 'crossref',
  description: 'Crossref\'s data files, {"items": [...]} or JSON Lines, and answers of its API',
  matches: (record) => {
    const work = workOf(record);
    if (work !== record) return true;
    return (
      typeof record['DOI'] === 'string' &&
      (Array.isArray(record['title']) || ('indexed' in record && !('title' in record)))
    );
  },
  read: (record) => readWork(workOf(record)),
});

/** The work itself: the API's answer about one work has it in its message. */
function workOf(record: JsonRecord): JsonRecord {
  return record['message-type'] === 'work' ? readObject(record, 'message') : record;
}

/**
 * A paper, and the notices about it. The record of a notice gives the paper that it is about; one
 * that takes the paper back, or of which nothing more was asked for, is no paper itself.
 */
export function readWork(record: JsonRecord): EntryContent | EntryContent[] {
  const type = firstText(record['type']);
  if (NOT_PAPERS.has(type)) return { problem: `not a paper but ${type}`, reason: 'not_a_paper' };
  const document = toDocument(record);
  const { doi = '' } = document.identifiers;
  const announced = updatesIn(record, 'update-to').filter((update) => update.doi !== '');
  const heard = updatesIn(record, 'updated-by');
  // Some journals turn the record of the paper itself into the notice.
  const own = announced.find((update) => update.doi === doi && update.withheld !== undefined);
  const withheld = own?.withheld ?? heard.find((update) => update.withheld !== undefined)?.withheld;
  if (withheld !== undefined) document.withheld = withheld;
  const notices = [
    ...announced.map((update) => supplementOf(update, { paper: update.doi, notice: doi })),
    ...(doi === '' ? [] : heard.map((one) => supplementOf(one, { paper: doi, notice: one.doi }))),
  ].map((supplement) => ({ supplement }));
  const isNotice =
    document.title === ''
      ? 'update-to' in record
      : withheld === undefined && announced.some((one) => one.withheld !== undefined);
  if (isNotice) return notices;
  const about = aboutOf([record['language']], [type]);
  return [{ document, about }, ...notices];
}

function updatesIn(record: JsonRecord, field: string): CrossrefUpdate[] {
  return readObjects(record, field).flatMap((update) => readCrossrefUpdate(update) ?? []);
}

/** Both sides tell of the same notice, so it has the same name on both. */
function supplementOf(
  { kind, date, withheld }: CrossrefUpdate,
  { paper, notice }: { paper: string; notice: string },
): Supplement {
  const name = `crossref:${kind} ${notice || date} ${paper}`;
  const announced = { name, notice: { kind, date, id: notice } };
  const supplement = { identifiers: { doi: paper }, abstract: '', announced };
  return withheld === undefined ? supplement : { ...supplement, withheld };
}

function toDocument(record: JsonRecord): SourceRecord {
  const doi = record['DOI'];
  const preprints = readObjects(readObject(record, 'relation'), 'has-preprint');
  const identifiers = identifiersOf({
    doi,
    arxiv: preprints.map(arxivIdOf).find((id) => id !== ''),
  });
  const title = lineOf(record['title']);
  const changed = ['deposited', 'indexed'].map((event) => readObject(record, event));
  return {
    id: documentIdOf(identifiers),
    title,
    abstract: markupToAbstract(firstText(record['abstract'])),
    year: DATES.map((field) => yearOf(record[field])).find((year) => year > 0) ?? 0,
    authors: readObjects(record, 'author')
      .map(nameOf)
      .filter((name) => name !== ''),
    venue: lineOf(record['container-title']),
    identifiers,
    ...detailsOf({
      citationCount: record['is-referenced-by-count'],
      openAccess: readObjects(record, 'license').some(isOpenLicense) ? true : undefined,
      orcids: readObjects(record, 'author').map(({ ORCID }) => ORCID),
    }),
    ...referencesOf(readObjects(record, 'reference').map(referenceOf)),
    updatedAt: changed.map((event) => readTimeIfAny(event, 'timestamp')).find((time) => time) ?? 0,
  };
}

function referenceOf(reference: JsonRecord): WrittenReference {
  const print = (): string => {
    const part = (...names: string[]): string =>
      markupToLine(firstText(...names.map((name) => reference[name])));
    const whole = part('unstructured');
    if (whole !== '') return whole;
    return printReference({
      authors: [part('author')],
      year: part('year'),
      title: part('article-title'),
      venue: part('journal-title', 'volume-title', 'series-title'),
      volume: part('volume'),
      firstPage: part('first-page'),
    });
  };
  return { identifiers: { doi: reference['DOI'] }, print };
}

/** Other licenses only say what a subscriber may do. */
function isOpenLicense(license: JsonRecord): boolean {
  return /^https?:\/\/creativecommons\.org\//i.test(firstText(license['URL']));
}

/** The arXiv id that a related work has: as such, or in its DOI. */
function arxivIdOf(work: JsonRecord): string {
  const { id, 'id-type': type } = work;
  return identifiersOf(type === 'arxiv' ? { arxiv: id } : { doi: id }).arxiv ?? '';
}
