/**
 * DataCite's DOIs: one, a page of its API, the lines of its public data file (support.datacite.org),
 * or DataCite JSON, which has bare attributes. Most of its DOIs belong to data sets and other items
 * that are not texts.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import { yearOf } from '../json/citeproc.ts';
import {
  firstText,
  isObject,
  type JsonRecord,
  readObject,
  readObjects,
  readTimeIfAny,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import type { EntryContent } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { referencesOf, type WrittenReference } from '../values/cited-works.ts';
import { detailsOf } from '../values/details.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';

/** Values of `resourceTypeGeneral` that are texts. */
const TEXTS = new Set(
  `text journalarticle preprint conferencepaper report book bookchapter dissertation datapaper
  studyregistration outputmanagementplan standard other`.split(/\s+/),
);

export const dataciteFormat = jsonFormat({
  name: 'datacite',
  description: "DataCite's DOIs: one, a page of its API, or JSON Lines of its public data file",
  matches: (record) => {
    const attributes = attributesOf(record);
    if (record['type'] === 'dois') return true;
    return (
      doiOf(attributes) !== '' &&
      (Array.isArray(attributes['titles']) || 'creators' in attributes) &&
      ('creators' in attributes || 'types' in attributes || 'publicationYear' in attributes)
    );
  },
  read: (record) => readDoi(attributesOf(record)),
});

/** The attributes of a DOI, without the API's envelope. */
function attributesOf(record: JsonRecord): JsonRecord {
  const data = isObject(record['data']) ? record['data'] : record;
  return isObject(data['attributes']) ? { id: data['id'], ...data['attributes'] } : data;
}

/** Reads the attributes of a DOI in the form of DataCite JSON. */
export function readDoi(attributes: JsonRecord): EntryContent {
  const type = firstText(
    ...['types', 'resourceType'].map(
      (field) => readObject(attributes, field)['resourceTypeGeneral'],
    ),
  );
  if (type !== '' && !TEXTS.has(type.toLowerCase())) {
    return { problem: `not a paper but ${type}`, reason: 'not_a_paper' };
  }
  return {
    document: {
      ...toDocument(attributes),
      ...detailsOf({
        types: [type],
        openAccess: licenseOf(attributes),
        citationCount: attributes['citationCount'],
        orcids: readObjects(attributes, 'creators').flatMap(orcidsOf),
      }),
    },
    about: aboutOf([attributes['language']], [type], [fieldOf(attributes)]),
  };
}

function toDocument(attributes: JsonRecord): SourceRecord {
  const related = readObjects(attributes, 'relatedIdentifiers')
    // The original of a copy, not a cited paper.
    .filter(({ relationType }) => relationType === 'IsIdenticalTo')
    .find(({ relatedIdentifierType: type }) => firstText(type).toLowerCase() === 'arxiv');
  const identifiers = identifiersOf({
    doi: doiOf(attributes) || firstText(attributes['id']),
    arxiv: related?.['relatedIdentifier'],
  });
  const titles = readObjects(attributes, 'titles');
  const title = titles.find(({ titleType }) => firstText(titleType) === '') ?? titles[0];
  const publisher = attributes['publisher'];
  return {
    id: documentIdOf(identifiers),
    title: markupToLine(firstText(title?.['title'])),
    abstract: abstractOf(attributes),
    year: yearOf(attributes['publicationYear']) || yearOf(attributes['published']),
    authors: readObjects(attributes, 'creators')
      .map(nameOf)
      .filter((name) => name !== ''),
    venue: markupToLine(
      firstText(
        readObject(attributes, 'container')['title'],
        isObject(publisher) ? publisher['name'] : publisher,
      ),
    ),
    identifiers,
    ...referencesOf(citedBy(attributes)),
    updatedAt: readTimeIfAny(attributes, 'updated'),
  };
}

/** Other relations, such as IsCitedBy, point to works that this one does not cite. */
function citedBy(attributes: JsonRecord): WrittenReference[] {
  return readObjects(attributes, 'relatedIdentifiers')
    .filter(({ relationType }) => relationType === 'References' || relationType === 'Cites')
    .map(({ relatedIdentifier: id, relatedIdentifierType }) => {
      const scheme = firstText(relatedIdentifierType).toLowerCase();
      const isKnown = scheme === 'doi' || scheme === 'arxiv' || scheme === 'pmid';
      return { identifiers: isKnown ? { [scheme]: id } : {} };
    });
}

/** The first subject of OECD's Fields of Science, "FOS: Law". The other subjects may be keywords. */
function fieldOf(attributes: JsonRecord): string {
  const subjects = readObjects(attributes, 'subjects').map(({ subject }) => firstText(subject));
  const [, field = ''] =
    /^FOS:\s*(.*)$/.exec(subjects.find((one) => /^FOS:/.test(one)) ?? '') ?? [];
  return field;
}

/** True with an open license; undefined if the rights do not tell. */
function licenseOf(attributes: JsonRecord): true | undefined {
  const isOpen = readObjects(attributes, 'rightsList').some(({ rightsUri }) =>
    /^https?:\/\/creativecommons\.org\//i.test(firstText(rightsUri)),
  );
  return isOpen ? true : undefined;
}

/** DataCite JSON 4.2 and 4.3 list it among the identifiers; 4.0 and 4.1 have a single one. */
function doiOf(attributes: JsonRecord): string {
  const identifiers = [
    readObject(attributes, 'identifier'),
    ...readObjects(attributes, 'identifiers'),
  ];
  const doi = identifiers.find(({ identifierType }) => firstText(identifierType) === 'DOI');
  return firstText(attributes['doi'], doi?.['identifier']);
}

/** The English abstract, else the first. */
function abstractOf(attributes: JsonRecord): string {
  const abstracts = readObjects(attributes, 'descriptions').filter(
    ({ descriptionType }) => firstText(descriptionType).toLowerCase() === 'abstract',
  );
  const english = abstracts.find(({ lang }) => /^en/i.test(firstText(lang)));
  return markupToAbstract(firstText((english ?? abstracts[0])?.['description']));
}

/** A creator has identifiers of several schemes. */
function orcidsOf(creator: JsonRecord): unknown[] {
  return readObjects(creator, 'nameIdentifiers')
    .filter(({ nameIdentifierScheme: scheme }) => firstText(scheme).toUpperCase() === 'ORCID')
    .map(({ nameIdentifier }) => nameIdentifier);
}

/** A person, whose `name` is "Berg, Anna", or an organization. */
function nameOf(creator: JsonRecord): string {
  const [given, family] = [firstText(creator['givenName']), firstText(creator['familyName'])];
  if (given !== '' && family !== '') return `${given} ${family}`;
  const name = firstText(creator['name'], creator['creatorName']);
  const [last = '', first = '', ...rest] = name.split(/\s*,\s*/);
  const isOrganization = creator['nameType'] === 'Organizational';
  return isOrganization || first === '' || rest.length > 0 ? name : `${first} ${last}`;
}
