/**
 * Works of OpenAlex, one JSON object per line, as in its snapshot (developers.openalex.org). An
 * abstract is an inverted index of words and positions. Joined with single blanks, it equals the
 * source's abstract except for white space.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import {
  FieldError,
  firstText,
  isObject,
  type JsonRecord,
  readObject,
  readObjects,
  readTimeIfAny,
  readYear,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { parseObject } from '../json/json-parse.ts';
import { aboutOf } from '../values/about.ts';
import { referencesOf } from '../values/cited-works.ts';
import { detailsOf } from '../values/details.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';

/** Types that are not papers. */
const NOT_PAPERS = new Set(['paratext', 'peer-review', 'grant', 'supplementary-materials']);

export const openalexFormat = jsonFormat({
  name: 'openalex',
  description: 'OpenAlex works: JSON Lines with inverted abstracts',
  matches: ({ id }) => typeof id === 'string' && /^https?:\/\/openalex\.org\/w\d/i.test(id),
  read: (record) => {
    const { type, is_paratext: isParatext } = record;
    if (isParatext === true || (typeof type === 'string' && NOT_PAPERS.has(type))) {
      const problem = `not a paper but ${isParatext === true ? 'paratext' : type}`;
      return { problem, reason: 'not_a_paper' };
    }
    const about = aboutOf([record['language']], [type], [fieldOf(record)]);
    return { document: toDocument(record), about };
  },
});

function toDocument(record: JsonRecord): SourceRecord {
  const ids = readObject(record, 'ids');
  const identifiers = identifiersOf({
    openalex: record['id'],
    pmid: ids['pmid'],
    pmcid: ids['pmcid'],
    doi: firstText(record['doi'], ids['doi']),
    arxiv: readObjects(record, 'locations')
      .map((location) => firstText(location['landing_page_url']))
      .find((address) => /^https?:\/\/arxiv\.org\/abs\//i.test(address)),
  });
  const source = readObject(readObject(record, 'primary_location'), 'source');
  return {
    id: documentIdOf(identifiers),
    title: markupToLine(firstText(record['title'], record['display_name'])),
    abstract: readAbstract(record),
    year: readYear(record, 'publication_year'),
    authors: readObjects(record, 'authorships')
      .map((authorship) =>
        firstText(readObject(authorship, 'author')['display_name'], authorship['raw_author_name']),
      )
      .filter((name) => name !== ''),
    venue: markupToLine(
      firstText(source['display_name'], readObject(record, 'host_venue')['display_name']),
    ),
    identifiers,
    ...(record['is_retracted'] === true ? { withheld: 'retracted' as const } : {}),
    ...readDetails(record),
    ...readReferences(record),
    updatedAt: readTimeIfAny(record, 'updated_date'),
  };
}

/** The type is read with those that serve selection. */
function readDetails(record: JsonRecord): Pick<SourceRecord, 'details'> {
  const access = readObject(record, 'open_access');
  const location = readObject(record, 'best_oa_location');
  return detailsOf({
    openAccess: access['is_oa'],
    openAccessUrls: [access['oa_url'], location['pdf_url'], location['landing_page_url']],
    citationCount: record['cited_by_count'],
    orcids: readObjects(record, 'authorships').map(
      (authorship) => readObject(authorship, 'author')['orcid'],
    ),
  });
}

function readReferences(record: JsonRecord): Pick<SourceRecord, 'references'> {
  const works: unknown = record['referenced_works'];
  return Array.isArray(works)
    ? referencesOf(works.map((openalex: unknown) => ({ identifiers: { openalex } })))
    : {};
}

/** The field of the primary topic, or else the most probable of the 19 concepts at the root. */
function fieldOf(record: JsonRecord): string {
  const topic = readObject(record, 'primary_topic');
  const roots = readObjects(record, 'concepts').filter(({ level }) => level === 0);
  const [best] = roots.sort((a, b) => Number(b['score'] ?? 0) - Number(a['score'] ?? 0));
  return firstText(readObject(topic, 'field')['display_name'], best?.['display_name']);
}

function readAbstract(record: JsonRecord): string {
  const field = 'abstract_inverted_index';
  let index = record[field];
  if (index === undefined || index === null) return '';
  // Earlier snapshots store it as a string, with its length.
  if (typeof index === 'string') index = parseObject(index);
  if (isObject(index) && isObject(index['InvertedIndex'])) index = index['InvertedIndex'];
  if (!isObject(index)) throw new FieldError(`"${field}" must be an object`);
  const text = joinWords(index, field);
  const abstract = /[<&]/.test(text) ? markupToAbstract(text) : text;
  return abstract.replace(/^abstract\s*[:.–—-]\s*/i, '');
}

/** Far longer than any abstract. A long word at thousands of positions could exhaust memory. */
const JOINED_CHARACTERS_MAX = 1_000_000;

/**
 * The words in the order of their positions. They are sorted rather than placed in an array, so
 * that a position of billions takes no memory. Words with the same position all stay; gaps vanish.
 */
function joinWords(index: JsonRecord, field: string): string {
  const words: { word: string; position: number }[] = [];
  let characters = 0;
  for (const [word, positions] of Object.entries(index)) {
    if (!Array.isArray(positions)) throw new FieldError(`"${field}" must have arrays of positions`);
    for (const position of new Set<unknown>(positions)) {
      if (!Number.isSafeInteger(position) || (position as number) < 0) {
        const shown = JSON.stringify(position)?.slice(0, 40);
        throw new FieldError(`"${field}" has ${shown} where a position is expected`);
      }
      characters += word.length + 1;
      if (characters > JOINED_CHARACTERS_MAX) {
        const problem = `"${field}" has more than ${JOINED_CHARACTERS_MAX} characters`;
        throw new FieldError(problem, 'too_long');
      }
      words.push({ word, position: position as number });
    }
  }
  words.sort((a, b) => a.position - b.position);
  const text = words.map(({ word }) => word).join(' ');
  return firstText(text.replace(/\s+/g, ' '));
}
