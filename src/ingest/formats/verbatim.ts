/**
 * Our own records, one JSON object a line: what people write by hand, and what is exported.
 *
 *   {"id": "...", "doi": "10...", "title": "...", "abstract": "...", "year": 2024,
 *    "authors": ["..."], "venue": "...", "identifiers": {"doi": "10...", "pmid": "..."},
 *    "withheld": "retracted", "updated": "2024-05-01T00:00:00.000Z"}
 *
 * An id and `title` or `abstract` are required; `language` and `type` only serve to choose records;
 * fields of other names are ignored. The id is the
 * `doi` of the record itself, else its `id`, else what its identifiers say. So an export, which has
 * the DOI among its identifiers, keeps each id as it is. An id that is a DOI or an arXiv id, bare
 * or not, is one of the identifiers too.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { Identifiers, SourceRecord } from '../../types.ts';
import {
  FieldError,
  type JsonRecord,
  readId,
  readNames,
  readObject,
  readText,
  readTime,
  readYear,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { aboutOf } from '../values/about.ts';

const ID_FIELDS = ['id', 'doi', 'identifiers'] as const;

export const verbatimFormat = jsonFormat({
  name: 'verbatim',
  description: 'JSON Lines: id or doi, title, abstract, year, authors, venue',
  matches: (record) =>
    ID_FIELDS.some((field) => field in record) && ('title' in record || 'abstract' in record),
  read: (record) => {
    const id = readId(record, 'id');
    const own = identifiersOf({ doi: readText(record, 'doi') });
    const named = identifiersOf({ doi: id, arxiv: id });
    const identifiers = {
      ...named,
      ...identifiersOf(readObject(record, 'identifiers')),
      ...own,
    };
    const withheld = readWithheld(record);
    return {
      document: {
        id: own.doi ?? (id || documentIdOf(identifiers)),
        title: readText(record, 'title'),
        abstract: readText(record, 'abstract'),
        year: readYear(record, 'year'),
        authors: readNames(record, 'authors'),
        venue: readText(record, 'venue'),
        identifiers,
        ...(withheld === undefined ? {} : { withheld }),
        updatedAt: readTime(record, 'updated'),
      },
      about: aboutOf([record['language']], [record['type']]),
    };
  },
});

/** A record as one line of an export, without the line's end: read again, it is the same. */
export function verbatimLine(record: SourceRecord): string {
  const { id, title, abstract, year, authors, venue, identifiers, withheld, updatedAt } = record;
  const updated = updatedAt === 0 ? undefined : new Date(updatedAt).toISOString();
  const known: Identifiers | undefined =
    Object.keys(identifiers).length > 0 ? identifiers : undefined;
  return JSON.stringify({
    id,
    title,
    abstract,
    year,
    authors,
    venue,
    identifiers: known,
    withheld,
    updated,
  });
}

function readWithheld(record: JsonRecord): SourceRecord['withheld'] {
  const value = readText(record, 'withheld');
  if (value === '') return undefined;
  if (value === 'retracted' || value === 'withdrawn') return value;
  const shown = JSON.stringify(value).slice(0, 40);
  throw new FieldError(`"withheld" must be "retracted" or "withdrawn", not ${shown}`);
}
