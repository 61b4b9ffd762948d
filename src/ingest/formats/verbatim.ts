/**
 * Our own documents, one JSON object a line:
 *   {"id": "...", "doi": "10...", "title": "...", "abstract": "...", "year": 2024,
 *    "authors": ["..."], "venue": "..."}
 * `id` or `doi`, and `title` or `abstract`, are required. Fields of other names are ignored.
 */
import { normalizeDoi, readId, readNames, readText, readYear } from '../fields.ts';
import { jsonLinesFormat } from '../json-lines.ts';

export const verbatimFormat = jsonLinesFormat({
  name: 'verbatim',
  description: 'JSON Lines: id or doi, title, abstract, year, authors, venue',
  matches: (record) =>
    ('id' in record || 'doi' in record) && ('title' in record || 'abstract' in record),
  toDocument: (record) => ({
    id: normalizeDoi(readText(record, 'doi')) || readId(record, 'id'),
    title: readText(record, 'title'),
    abstract: readText(record, 'abstract'),
    year: readYear(record, 'year'),
    authors: readNames(record, 'authors'),
    venue: readText(record, 'venue'),
  }),
});
