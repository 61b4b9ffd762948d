/**
 * CSL-JSON, the exchange format of reference managers (citeproc-js, Zotero, pandoc): an array of
 * items, or one item.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import { lineOf, nameOf, yearOf } from '../json/citeproc.ts';
import { firstText, isObject, type JsonRecord, readId, readObjects } from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { aboutOf } from '../values/about.ts';
import { markupToAbstract } from '../values/markup.ts';

export const cslJsonFormat = jsonFormat({
  name: 'csl-json',
  description: 'CSL-JSON of reference managers: an array of items, or one item',
  matches: (record) => {
    if (typeof record['type'] !== 'string' || typeof record['title'] !== 'string') return false;
    const isNamed = (person: JsonRecord): boolean => 'family' in person || 'literal' in person;
    return (
      ['id', 'DOI', 'citation-key'].some((field) => field in record) &&
      (isObject(record['issued']) ||
        'container-title' in record ||
        readObjects(record, 'author').some(isNamed))
    );
  },
  read: (record) => ({
    document: toDocument(record),
    about: aboutOf([record['language']], [record['type']]),
  }),
});

function toDocument(record: JsonRecord): SourceRecord {
  const identifiers = identifiersOf({
    doi: record['DOI'],
    pmid: record['PMID'],
    pmcid: record['PMCID'],
    arxiv: arxivIdOf(record),
  });
  const name = readId(record, 'id') || firstText(record['citation-key']);
  return {
    id: documentIdOf(identifiers, name),
    title: lineOf(record['title']),
    abstract: markupToAbstract(firstText(record['abstract'])),
    year: yearOf(record['issued']) || yearOf(record['original-date']),
    authors: readObjects(record, 'author')
      .map(nameOf)
      .filter((author) => author !== ''),
    venue: lineOf(record['container-title']),
    identifiers,
    updatedAt: 0,
  };
}

/** Where reference managers put it: the number of the report, the archive, or the address. */
function arxivIdOf(record: JsonRecord): string | undefined {
  const { number, archive, archive_location: location, URL: address } = record;
  const candidates = [
    /^arxiv:/i.test(firstText(number)) ? number : undefined,
    /^arxiv$/i.test(firstText(archive)) ? location : undefined,
    /^https?:\/\/(?:www\.)?arxiv\.org\//i.test(firstText(address)) ? address : undefined,
  ];
  return firstText(...candidates.map((arxiv) => identifiersOf({ arxiv }).arxiv)) || undefined;
}
