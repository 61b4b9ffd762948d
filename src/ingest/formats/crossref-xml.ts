/**
 * Crossref's XML: answers to queries (unixref, unixsd), what publishers deposit, and both in OAI-PMH.
 * Works become those of Crossref's JSON.
 */
import type { JsonRecord } from '../json/fields.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { markupOf } from '../xml/markup-of.ts';
import { isOfOai } from '../xml/oai-records.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';
import { readWork } from './crossref.ts';

const ROOTS = ['doi_records', 'doi_record', 'crossref_result', 'doi_batch'];

/** Works by themselves, and what holds works, with the types of Crossref's JSON. */
const typeOf: Readonly<Record<string, string>> = {
  journal: 'journal',
  journal_article: 'journal-article',
  conference: 'proceedings',
  conference_paper: 'proceedings-article',
  book: 'book',
  content_item: 'book-chapter',
  dissertation: 'dissertation',
  posted_content: 'posted-content',
  'report-paper': 'report',
  standard: 'standard',
  peer_review: 'peer-review',
  database: 'database',
  sa_component: 'component',
  grant: 'grant',
};

const WORKS_WITHIN = ['journal_article', 'conference_paper', 'content_item'];

export const crossrefXmlFormat: Format = {
  name: 'crossref-xml',
  description: "Crossref's XML: unixref, unixsd, deposits, also in OAI-PMH",
  recognizes: (head) =>
    (ROOTS.includes(rootOf(head)?.name ?? '') || isOfOai(head)) &&
    /<(?:\w+:)?(?:doi_record|crossref|doi_batch)[\s>]/.test(head.text),
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: Object.keys(typeOf).filter((name) => !WORKS_WITHIN.includes(name)),
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      if ('problem' in record) yield record;
      else {
        const holder = record.ancestors.find(({ name }) => name === 'doi_record');
        yield* entriesOf(record.element, holder?.attributes['timestamp']);
      }
    }
  },
};

/** The works in an element, or the work that it is. `timestamp`: when it was deposited. */
function* entriesOf(element: XmlElement, timestamp: string | undefined): Generator<Entry> {
  const within = WORKS_WITHIN.flatMap((name) => childrenOf(element, name));
  for (const work of within.length > 0 ? within : [element]) {
    const { line } = work;
    const record = { ...recordOf(work, element), deposited: { timestamp } };
    for (const content of [readWork(record)].flat()) yield { line, ...content };
  }
}

function recordOf(work: XmlElement, holder: XmlElement): JsonRecord {
  const metadata = metadataOf(holder);
  // A book or a report has its fields in an element of their own.
  const own = work === holder ? (metadata ?? work) : work;
  const updates = childrenOf(childOf(own, 'crossmark', 'updates'), 'update');
  return {
    type: typeOf[work.name],
    DOI: textOf(childOf(own, 'doi_data', 'doi')),
    title: [titleOf(own)],
    abstract: abstractOf(own),
    author: [own, ...childrenOf(own, 'contributors')].flatMap(authorsIn),
    'container-title': work === holder ? [] : venuesOf(metadata),
    issued: yearOf(own) || yearOf(childOf(holder, 'journal_issue')) || yearOf(metadata),
    language: own.attributes['language'] ?? metadata?.attributes['language'],
    license: [own, childOf(own, 'crossmark', 'custom_metadata')].flatMap(licensesIn),
    reference: childrenOf(childOf(own, 'citation_list'), 'citation').map(referenceOf),
    ...(updates.length === 0 ? {} : { 'update-to': updates.map(updateOf) }),
  };
}

/** `journal_metadata`, `book_series_metadata`, ... */
function metadataOf(holder: XmlElement): XmlElement | undefined {
  return holder.children.find(
    (child): child is XmlElement =>
      typeof child !== 'string' && /_metadata$/.test(child.name) && child.name !== 'event_metadata',
  );
}

function venuesOf(metadata: XmlElement | undefined): string[] {
  return ['full_title', 'proceedings_title', 'titles'].map((name) =>
    name === 'titles' ? titleOf(metadata) : markupOf(childOf(metadata, name)),
  );
}

function titleOf(element: XmlElement | undefined): string {
  const part = (name: string): string => markupOf(childOf(element, 'titles', name)).trim();
  const [title, subtitle] = [part('title'), part('subtitle')];
  return subtitle === '' ? title : `${title}: ${subtitle}`;
}

/** The English abstract, else the first. */
function abstractOf(element: XmlElement): string {
  const all = childrenOf(element, 'abstract');
  return markupOf(all.find(({ attributes }) => /^en/i.test(attributes['lang'] ?? '')) ?? all[0]);
}

function authorsIn(element: XmlElement): JsonRecord[] {
  const people = element.children.filter(
    (child): child is XmlElement =>
      typeof child !== 'string' && /^(?:person_name|organization)$/.test(child.name),
  );
  return people
    .filter(({ attributes }) => (attributes['contributor_role'] ?? 'author') === 'author')
    .map((person) => ({
      given: textOf(childOf(person, 'given_name')),
      family: textOf(childOf(person, 'surname')),
      suffix: textOf(childOf(person, 'suffix')),
      name: person.name === 'organization' ? textOf(person) : '',
      ORCID: textOf(childOf(person, 'ORCID')),
    }));
}

/** The earliest year: of print, of the online version, of the approval. */
function yearOf(element: XmlElement | undefined): number {
  const dates = ['publication_date', 'posted_date', 'approval_date', 'review_date'];
  const years = dates.flatMap((name) =>
    childrenOf(element, name).map((date) => Number(textOf(childOf(date, 'year')))),
  );
  const known = years.filter((year) => year > 0);
  return known.length === 0 ? 0 : Math.min(...known);
}

function licensesIn(element: XmlElement | undefined): JsonRecord[] {
  return childrenOf(element, 'program').flatMap((program) =>
    childrenOf(program, 'license_ref').map((license) => ({ URL: textOf(license) })),
  );
}

function referenceOf(citation: XmlElement): JsonRecord {
  const part = (name: string): string => markupOf(childOf(citation, name));
  const titles = ['article_title', 'journal_title', 'volume_title', 'series_title'];
  const same = ['author', ...titles, 'volume', 'first_page'];
  return {
    DOI: textOf(childOf(citation, 'doi')),
    unstructured: part('unstructured_citation'),
    year: part('cYear'),
    ...Object.fromEntries(same.map((name) => [name.replace('_', '-'), part(name)])),
  };
}

function updateOf(update: XmlElement): JsonRecord {
  const { type, date = '' } = update.attributes;
  return { DOI: textOf(update), type, updated: { 'date-parts': [date.split('-').map(Number)] } };
}
