/**
 * Our own format, one JSON object per line, for records written by hand and for exports.
 *
 *   {"id": "...", "doi": "10...", "title": "...", "abstract": "...", "year": 2024,
 *    "authors": ["..."], "venue": "...", "identifiers": {"doi": "10...", "pmid": "..."},
 *    "withheld": "retracted", "updated": "2024-05-01T00:00:00.000Z", "type": "article",
 *    "open_access": true, "open_access_url": "https://...", "citation_count": 12,
 *    "language": "en", "field": "Computer science", "orcids": ["0000-0002-1825-0097"],
 *    "references": [{"doi": "10..."}, {"text": "Berg A (1998). Tides. Shore, 12, 345"}]}
 *
 * An id, and `title` or `abstract`, are required. Other fields are ignored. The id is the record's `doi`, else its `id`, else it comes from `identifiers`.
 * So an export, which has the DOI in `identifiers`, keeps every id. An id that is a DOI or an arXiv
 * id, bare or not, also counts as an identifier.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { Identifiers, SourceRecord } from '../../types.ts';
import {
  FieldError,
  firstText,
  type JsonRecord,
  readId,
  readNames,
  readObject,
  readObjects,
  readText,
  readTime,
  readYear,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { aboutOf } from '../values/about.ts';
import { referencesOf } from '../values/cited-works.ts';
import { detailsOf } from '../values/details.ts';

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
        ...detailsOf({
          openAccess: record['open_access'],
          openAccessUrls: [record['open_access_url']],
          citationCount: record['citation_count'],
          orcids: Array.isArray(record['orcids']) ? record['orcids'] : [],
        }),
        ...referencesOf(
          readObjects(record, 'references').map((reference) => ({
            identifiers: reference,
            print: () => firstText(reference['text']),
          })),
        ),
        updatedAt: readTime(record, 'updated'),
      },
      about: aboutOf([record['language']], [record['type']], [record['field']]),
    };
  },
});

/** A record as one line of an export, without the line end. Reading it gives the same record. */
export function verbatimLine(record: SourceRecord): string {
  const { id, title, abstract, year, authors, venue, identifiers, withheld, updatedAt } = record;
  const { references } = record;
  const { type, openAccess, openAccessUrl, citationCount, language, field, orcids } =
    record.details ?? {};
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
    type,
    open_access: openAccess,
    open_access_url: openAccessUrl,
    citation_count: citationCount,
    language,
    field,
    orcids,
    updated,
    references: references?.map(({ identifiers: cited, text }) => ({ ...cited, text })),
  });
}

function readWithheld(record: JsonRecord): SourceRecord['withheld'] {
  const value = readText(record, 'withheld');
  if (value === '') return undefined;
  if (value === 'retracted' || value === 'withdrawn') return value;
  const shown = JSON.stringify(value).slice(0, 40);
  throw new FieldError(`"withheld" must be "retracted" or "withdrawn", not ${shown}`);
}
