/**
 * arXiv's metadata snapshot, one JSON object per line (arxiv-metadata-oai-snapshot.json). The year is
 * that of the first version. `update_date` is the date when the record changed.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { isWithdrawnByAuthors } from '../../identity/withheld.ts';
import type { SourceRecord } from '../../types.ts';
import {
  firstText,
  type JsonRecord,
  readId,
  readObjects,
  readText,
  readTimeIfAny,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { aboutOf } from '../values/about.ts';
import { arxivField } from '../values/arxiv-field.ts';
import { arxivAuthors, arxivText } from '../values/arxiv-text.ts';
import { detailsOf } from '../values/details.ts';
import { loadTex, texToText } from '../values/tex.ts';

export const arxivFormat = jsonFormat({
  name: 'arxiv',
  description: "arXiv's metadata snapshot: JSON Lines with authors_parsed and versions",
  // Records of the verbatim format may have categories too, and a list of authors. DataCite's CSL-JSON
  // has categories and names its fields as CSL does.
  matches: (record) =>
    'id' in record &&
    !Array.isArray(record['authors']) &&
    !['author', 'issued', 'DOI'].some((field) => field in record) &&
    ('authors_parsed' in record || 'categories' in record),
  prepare: loadTex,
  read: (record) => ({
    document: toDocument(record),
    about: aboutOf([], [], [arxivField(firstText(...[record['categories']].flat()))]),
  }),
});

function toDocument(record: JsonRecord): SourceRecord {
  const abstract = arxivText(readText(record, 'abstract'));
  // Authors may enter several DOIs separated by blanks. The first is that of the article.
  const [doi = ''] = readText(record, 'doi')
    .trim()
    .split(/[\s,;]+/);
  const identifiers = identifiersOf({ arxiv: readId(record, 'id'), doi });
  const isWithdrawn = isWithdrawnByAuthors({ abstract, comments: readText(record, 'comments') });
  return {
    id: documentIdOf(identifiers),
    title: readText(record, 'title').replace(/\s+/g, ' ').trim(),
    abstract,
    year: yearOfFirstVersion(record),
    authors: readAuthors(record),
    venue: readText(record, 'journal-ref').replace(/\s+/g, ' ').trim(),
    identifiers,
    ...(isWithdrawn ? { withheld: 'withdrawn' as const } : {}),
    ...detailsOf({ types: ['preprint'], openAccess: true }),
    updatedAt: readTimeIfAny(record, 'update_date'),
  };
}

/** From arrays of [last, first, suffix, affiliation, ...], or from one string of all names. */
function readAuthors(record: JsonRecord): string[] {
  const parsed = record['authors_parsed'];
  if (!Array.isArray(parsed)) return arxivAuthors(readText(record, 'authors'));
  return parsed
    .map((parts: unknown) => {
      const [last, first, suffix] = Array.isArray(parts) ? parts : [];
      const name = [first, last, suffix].map((part) => firstText(part)).join(' ');
      return texToText(name).normalize('NFC').replace(/\s+/g, ' ').trim();
    })
    .filter((name) => name !== '');
}

/** The year of version 1, which need not come first, or of the earliest version. */
function yearOfFirstVersion(record: JsonRecord): number {
  const times = readObjects(record, 'versions')
    .map((version) => ({
      number: Number(/\d+/.exec(firstText(version['version']))?.[0] ?? Number.POSITIVE_INFINITY),
      time: readTimeIfAny(version, 'created'),
    }))
    .filter(({ time }) => time !== 0)
    .sort((a, b) => a.number - b.number);
  const [first] = times;
  return first === undefined ? 0 : new Date(first.time).getUTCFullYear();
}
