/**
 * Works of Crossref: of its public data files and snapshots, in files of {"items": [...]} or one
 * JSON object a line (since 2025), and of its API, a page of works or one. Abstracts are JATS.
 */

import { documentIdOf, identifiersOf, normalizeDoi } from '../../identity/identifiers.ts';
import { type Withheld, withheldByUpdate } from '../../identity/withheld.ts';
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
import type { EntryContent } from '../read/format.ts';
import { aboutOf } from '../values/about.ts';
import { markupToAbstract } from '../values/markup.ts';

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

function readWork(record: JsonRecord): EntryContent | EntryContent[] {
  const type = firstText(record['type']);
  if (NOT_PAPERS.has(type)) return { problem: `not a paper but ${type}`, reason: 'not_a_paper' };
  const document = toDocument(record);
  const retracted = readObjects(record, 'update-to').flatMap((update): EntryContent[] => {
    const withheld = withheldBy(update);
    const doi = normalizeDoi(firstText(update['DOI']));
    if (withheld === undefined || doi === '') return [];
    // Some journals turn the record of the paper itself into the notice.
    if (doi === document.identifiers.doi) document.withheld = withheld;
    return [{ supplement: { identifiers: { doi }, abstract: '', withheld } }];
  });
  const about = aboutOf([record['language']], [type]);
  return retracted.length > 0 && document.withheld === undefined ? retracted : { document, about };
}

function toDocument(record: JsonRecord): SourceRecord {
  const doi = record['DOI'];
  const preprints = readObjects(readObject(record, 'relation'), 'has-preprint');
  const identifiers = identifiersOf({
    doi,
    arxiv: preprints.map(arxivIdOf).find((id) => id !== ''),
  });
  const title = lineOf(record['title']);
  const updates = readObjects(record, 'updated-by').map(withheldBy);
  const withheld = updates.find((kind) => kind !== undefined);
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
    ...(withheld === undefined ? {} : { withheld }),
    updatedAt: changed.map((event) => readTimeIfAny(event, 'timestamp')).find((time) => time) ?? 0,
  };
}

/** The arXiv id that a related work has: as such, or in its DOI. */
function arxivIdOf(work: JsonRecord): string {
  const { id, 'id-type': type } = work;
  return identifiersOf(type === 'arxiv' ? { arxiv: id } : { doi: id }).arxiv ?? '';
}

function withheldBy(update: JsonRecord): Withheld | undefined {
  return withheldByUpdate(firstText(update['type']));
}
