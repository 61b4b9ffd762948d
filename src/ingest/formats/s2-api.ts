/**
 * Papers of the API of Semantic Scholar's Academic Graph: one, a page of a search, a batch, or a page
 * of citations or references (api.semanticscholar.org/api-docs/graph). Only the requested fields are
 * present. In a batch, `null` stands for an unknown id.
 */

import { documentIdOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import { yearOf } from '../json/citeproc.ts';
import {
  firstText,
  isObject,
  type JsonRecord,
  readObject,
  readObjects,
  readText,
  readYear,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { s2Fields, s2Identifiers } from '../json/semantic-scholar-fields.ts';
import { aboutOf } from '../values/about.ts';
import { printReference, referencesOf, type WrittenReference } from '../values/cited-works.ts';
import { detailsOf } from '../values/details.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';

export const s2ApiFormat = jsonFormat({
  name: 's2-api',
  description: "papers of Semantic Scholar's API: one, a page of a search, a batch",
  matches: (record) => {
    const paper = paperOf(record);
    return (
      'paperId' in paper && ('title' in paper || 'externalIds' in paper || 'corpusId' in paper)
    );
  },
  read: (record) => {
    const paper = paperOf(record);
    return { document: toDocument(paper), about: aboutOf([], [], s2Fields(paper)) };
  },
});

/** The paper itself, which pages of citations and references wrap. */
function paperOf(record: JsonRecord): JsonRecord {
  return [record['citingPaper'], record['citedPaper']].find(isObject) ?? record;
}

function toDocument(paper: JsonRecord): SourceRecord {
  const identifiers = s2Identifiers(paper);
  const paperId = readText(paper, 'paperId').trim();
  return {
    id: documentIdOf(identifiers, paperId === '' ? '' : `SemanticScholar:${paperId}`),
    title: markupToLine(readText(paper, 'title')),
    abstract: markupToAbstract(readText(paper, 'abstract')),
    year: readYear(paper, 'year') || yearOf(paper['publicationDate']),
    authors: authorsOf(paper),
    venue: firstText(
      ...[paper['venue'], readObject(paper, 'publicationVenue')['name']],
      readObject(paper, 'journal')['name'],
    ),
    identifiers,
    ...detailsOf({
      types: readTexts(paper['publicationTypes']),
      openAccess: paper['isOpenAccess'],
      openAccessUrls: [readObject(paper, 'openAccessPdf')['url']],
      citationCount: paper['citationCount'],
    }),
    ...referencesOf(readObjects(paper, 'references').map(referenceOf)),
    updatedAt: 0,
  };
}

function authorsOf(paper: JsonRecord): string[] {
  return readObjects(paper, 'authors')
    .map(({ name }) => firstText(name))
    .filter((name) => name !== '');
}

/** A paper that Semantic Scholar does not have has its title alone. */
function referenceOf(paper: JsonRecord): WrittenReference {
  const print = (): string =>
    printReference({
      authors: authorsOf(paper),
      year: String(yearOf(paper['year']) || ''),
      title: markupToLine(firstText(paper['title'])),
      venue: firstText(paper['venue']),
    });
  return { identifiers: s2Identifiers(paper), print };
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map((text) => firstText(text)) : [];
}
