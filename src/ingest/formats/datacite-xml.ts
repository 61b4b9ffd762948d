/**
 * DataCite's XML (schema.datacite.org), which repositories keep and give in OAI-PMH as oai_datacite.
 * Its fields are those of DataCite JSON.
 */
import type { JsonRecord } from '../json/fields.ts';
import type { Format } from '../read/packed-format.ts';
import { childOf, childrenOf, rawTextOf, textOf, type XmlElement } from '../xml/element.ts';
import { isOfOai } from '../xml/oai-records.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';
import { readDoi } from './datacite.ts';

/** The namespace of every version: `http://datacite.org/schema/kernel-4`. */
const NAMESPACE = /datacite\.org\/schema\/(?:namespace|kernel-)/;

export const dataciteXmlFormat: Format = {
  name: 'datacite-xml',
  description: "DataCite's XML, also in OAI-PMH as oai_datacite",
  recognizes: (head) => {
    const root = rootOf(head);
    if (root?.name === 'resource') return NAMESPACE.test(root.attributes);
    return isOfOai(head) && NAMESPACE.test(head.text) && /<(?:\w+:)?resource[\s>]/.test(head.text);
  },
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['resource'],
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      if ('problem' in record) yield record;
      else yield { line: record.line, ...readDoi(attributesOf(record.element)) };
    }
  },
};

function attributesOf(resource: XmlElement): JsonRecord {
  const list = (...path: string[]): XmlElement[] =>
    childrenOf(childOf(resource, ...path.slice(0, -1)), path.at(-1) as string);
  return {
    identifier: objectOf('identifier')(childOf(resource, 'identifier')),
    creators: list('creators', 'creator').map((creator) => ({
      ...objectOf('name')(childOf(creator, 'creatorName')),
      givenName: textOf(childOf(creator, 'givenName')),
      familyName: textOf(childOf(creator, 'familyName')),
      nameIdentifiers: childrenOf(creator, 'nameIdentifier').map(objectOf('nameIdentifier')),
    })),
    titles: list('titles', 'title').map(objectOf('title')),
    publisher: textOf(childOf(resource, 'publisher')),
    publicationYear: textOf(childOf(resource, 'publicationYear')),
    types: childOf(resource, 'resourceType')?.attributes,
    language: textOf(childOf(resource, 'language')),
    container: { title: containerOf(resource) },
    subjects: list('subjects', 'subject').map(objectOf('subject')),
    rightsList: list('rightsList', 'rights').map(({ attributes }) => {
      return { rightsUri: attributes['rightsURI'] };
    }),
    relatedIdentifiers: list('relatedIdentifiers', 'relatedIdentifier').map(
      objectOf('relatedIdentifier'),
    ),
    descriptions: list('descriptions', 'description').map(objectOf('description')),
  };
}

/** Returns a function for an element with attributes, whose text gets this name. */
function objectOf(name: string): (element: XmlElement | undefined) => JsonRecord {
  // The attribute xml:lang of the XML is `lang` in the JSON.
  return (element) => ({ ...element?.attributes, [name]: textWithBreaks(element) });
}

/** The journal or book: DataCite 4.4 has it as a related item, before as the series of a description. */
function containerOf(resource: XmlElement): string {
  const item = childrenOf(childOf(resource, 'relatedItems'), 'relatedItem').find(
    ({ attributes }) => attributes['relationType'] === 'IsPublishedIn',
  );
  return textOf(childOf(item, 'titles', 'title'));
}

/** A line break may stand as an element in a description. */
function textWithBreaks(element: XmlElement | undefined): string {
  const children = element?.children ?? [];
  return children
    .map((child) => {
      if (typeof child === 'string') return child;
      return child.name === 'br' ? '<br/>' : rawTextOf(child);
    })
    .join('')
    .trim();
}
