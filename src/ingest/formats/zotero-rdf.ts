/** Zotero's RDF export. The DOI of an article may stand in the node of its journal. */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { yearOf } from '../json/citeproc.ts';
import type { EntryContent, Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';
import { extraOf } from '../values/zotero-extra.ts';
import { childOf, childrenOf, rawTextOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';
import {
  type ItemInContainer,
  identifierTexts,
  isDoi,
  withContainers,
} from '../xml/zotero-containers.ts';

/** Elements of items, and of what items are part of. Types that have no element are descriptions. */
const NODES = [
  ...['Article', 'Book', 'BookSection', 'ConferenceProceedings', 'Data', 'Description', 'Document'],
  ...['Illustration', 'Image', 'Interview', 'Legislation', 'Letter', 'Manuscript'],
  ...['MotionPicture', 'Patent', 'Recording', 'Report', 'Thesis'],
  ...['Journal', 'Periodical', 'Newspaper', 'CourtReporter', 'Website', 'Blog', 'Forum'],
];

const NOT_PAPERS = ['attachment', 'note', 'annotation', 'patent'];

export const zoteroRdfFormat: Format = {
  name: 'zotero-rdf',
  description: "Zotero's RDF export",
  recognizes: (head) =>
    rootOf(head)?.name === 'RDF' &&
    head.text.includes('http://www.zotero.org/namespaces/export#') &&
    /<(?:\w+:)?itemType>/.test(head.text),
  async *entries(source, limits) {
    const nodes = readXmlRecords(source.chunks(), {
      path: source.path,
      records: NODES,
      areNested: true,
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const item of withContainers(nodes)) {
      yield 'problem' in item ? item : { line: item.line, ...readItem(item) };
    }
  },
};

function readItem({ element, container }: ItemInContainer): EntryContent {
  const raw = (name: string): string => rawTextOf(childOf(element, name));
  const type = raw('itemType').trim();
  if (NOT_PAPERS.includes(type)) {
    return { problem: `not a paper but ${type}`, reason: 'not_a_paper' };
  }
  const extra = extraOf(raw('description'));
  const name = element.attributes['about'] ?? '';
  const own = identifierTexts(element);
  const identifiers = identifiersOf({
    doi: [...own, container?.doi ?? '', extra('DOI'), name].find(isDoi),
    arxiv: [extra('arXiv'), ...own, name].find((text) => /\barxiv/i.test(text)),
    pmid: extra('PMID'),
    pmcid: extra('PMCID'),
    acl: [...own, name].find((text) => /\baclanthology\.org\//i.test(text)),
  });
  const document = {
    id: documentIdOf(identifiers, raw('citationKey').trim() || extra('Citation Key') || name),
    title: markupToLine(raw('title')),
    abstract: markupToAbstract(raw('abstract')),
    year: yearOf(raw('date')),
    authors: childrenOf(childOf(element, 'authors', 'Seq'), 'li')
      .map(nameOf)
      .filter((author) => author !== ''),
    venue: container?.title ?? '',
    identifiers,
    updatedAt: 0,
  };
  return { document, about: aboutOf([raw('language')], [type]) };
}

/** Older exports spell "givenname". */
function nameOf(item: XmlElement): string {
  const person = childOf(item, 'Person');
  const parts = ['givenName', 'givenname', 'surname'].map((part) => textOf(childOf(person, part)));
  return parts.filter((part) => part !== '').join(' ');
}
