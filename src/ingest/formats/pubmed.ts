/**
 * PubMed's XML: the yearly baseline, daily updates with deletions, and downloads of searches
 * (PubmedArticleSet; NLM's DTD of January 2025).
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { withheldByPublicationTypes } from '../../identity/withheld.ts';
import type { Identifiers, SourceRecord } from '../../types.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { type About, aboutOf } from '../values/about.ts';
import { referencesOf, type WrittenReference } from '../values/cited-works.ts';
import { detailsOf } from '../values/details.ts';
import { pubmedTitle } from '../values/pubmed-title.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

const ROOTS = ['PubmedArticleSet', 'PubmedArticle', 'PubmedBookArticleSet', 'PubmedBookArticle'];

export const pubmedFormat: Format = {
  name: 'pubmed',
  description: "PubMed's XML: baseline, daily updates, downloads of searches",
  recognizes: (head) => ROOTS.includes(rootOf(head)?.name ?? ''),
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['PubmedArticle', 'PubmedBookArticle', 'DeleteCitation'],
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      if ('problem' in record) yield record;
      else yield* readRecord(record.element);
    }
  },
};

function readRecord(element: XmlElement): Entry[] {
  const { name, line } = element;
  if (name === 'DeleteCitation') {
    return childrenOf(element, 'PMID').map((pmid) => ({
      line: pmid.line,
      deletion: identifiersOf({ pmid: textOf(pmid) }),
    }));
  }
  const isArticle = name === 'PubmedArticle';
  const document = isArticle ? readArticle(element) : readBook(element);
  return [{ line, document, about: aboutIn(element) }];
}

/** Languages and types of an article or a chapter. */
function aboutIn(element: XmlElement): About {
  const article =
    childOf(element, 'MedlineCitation', 'Article') ?? childOf(element, 'BookDocument');
  const listed = childOf(article, 'PublicationTypeList') ?? article;
  return aboutOf(
    childrenOf(article, 'Language').map((language) => textOf(language)),
    childrenOf(listed, 'PublicationType').map((type) => textOf(type)),
  );
}

function readArticle(element: XmlElement): SourceRecord {
  const citation = childOf(element, 'MedlineCitation');
  const article = childOf(citation, 'Article');
  const identifiers = identifiersOf({
    doi: electronicDoi(article) || articleId(element, 'doi'),
    pmid: textOf(childOf(citation, 'PMID')),
    pmcid: articleId(element, 'pmc'),
  });
  const types = childrenOf(childOf(article, 'PublicationTypeList'), 'PublicationType');
  const withheld = withheldByPublicationTypes(types.map((type) => textOf(type)));
  return {
    id: documentIdOf(identifiers),
    title: titleOf(childOf(article, 'ArticleTitle'), childOf(article, 'VernacularTitle')),
    abstract: abstractOf(childOf(article, 'Abstract')),
    year: yearOf(article),
    authors: authorsOf(childOf(article, 'AuthorList')),
    venue: textOf(childOf(article, 'Journal', 'Title')),
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    ...detailsOf({ orcids: orcidsOf(childOf(article, 'AuthorList')) }),
    ...referencesOf(referencesIn(childOf(element, 'PubmedData'))),
    updatedAt: dateOf(childOf(citation, 'DateRevised') ?? childOf(citation, 'DateCompleted')),
  };
}

/** A chapter of a book on NCBI's Bookshelf, or, without an ArticleTitle, the book. */
function readBook(element: XmlElement): SourceRecord {
  const document = childOf(element, 'BookDocument');
  const book = childOf(document, 'Book');
  const chapterTitle = titleOf(
    childOf(document, 'ArticleTitle'),
    childOf(document, 'VernacularTitle'),
  );
  const bookTitle = textOf(childOf(book, 'BookTitle'));
  const lists = [...childrenOf(document, 'AuthorList'), ...childrenOf(book, 'AuthorList')];
  const authors = lists.find(({ attributes }) => attributes['Type'] !== 'editors');
  const identifiers: Identifiers = identifiersOf({
    doi: idIn(childOf(document, 'ArticleIdList'), 'doi') || articleId(element, 'doi'),
    pmid: textOf(childOf(document, 'PMID')),
    pmcid: idIn(childOf(document, 'ArticleIdList'), 'pmc'),
  });
  return {
    id: documentIdOf(identifiers),
    title: chapterTitle === '' ? bookTitle : chapterTitle,
    abstract: abstractOf(childOf(document, 'Abstract')),
    year: firstYear(textOf(childOf(book, 'PubDate'))),
    authors: authorsOf(authors),
    venue: chapterTitle === '' ? '' : bookTitle,
    identifiers,
    ...detailsOf({ orcids: orcidsOf(authors) }),
    ...referencesOf(referencesIn(document)),
    updatedAt: dateOf(childOf(document, 'DateRevised') ?? childOf(document, 'ContributionDate')),
  };
}

function titleOf(title: XmlElement | undefined, vernacular: XmlElement | undefined): string {
  return pubmedTitle(textOf(title), textOf(vernacular));
}

/**
 * The sections, each below its label. A label is a paragraph that ends with a colon, so it is neither
 * a sentence nor part of one: see `splitSentences`.
 */
function abstractOf(abstract: XmlElement | undefined): string {
  return childrenOf(abstract, 'AbstractText')
    .flatMap((section) => {
      const text = textOf(section).replace(/\s*\(ABSTRACT TRUNCATED[^()]{0,40}\)$/, '');
      const label = (section.attributes['Label'] ?? '').replace(/\s+/g, ' ').trim();
      if (text === '') return [];
      if (label === '' || label === 'UNASSIGNED' || label === 'UNLABELLED') return [text];
      return [label.endsWith(':') ? label : `${label}:`, text];
    })
    .join('\n\n');
}

/** The year of print, also from text such as "1998 Dec-1999 Jan", else the year online. */
function yearOf(article: XmlElement | undefined): number {
  const printed = childOf(article, 'Journal', 'JournalIssue', 'PubDate');
  const dates = [childOf(printed, 'Year'), childOf(printed, 'MedlineDate')];
  return (
    dates.map((date) => firstYear(textOf(date))).find((year) => year > 0) ??
    firstYear(textOf(childOf(article, 'ArticleDate', 'Year')))
  );
}

function firstYear(text: string): number {
  return Number(/\d{4}/.exec(text)?.[0] ?? 0);
}

function dateOf(date: XmlElement | undefined): number {
  const [year, month, day] = ['Year', 'Month', 'Day'].map((part) =>
    Number(textOf(childOf(date, part))),
  );
  return Date.UTC(year || Number.NaN, (month || 1) - 1, day || 1) || 0;
}

function validAuthors(list: XmlElement | undefined): XmlElement[] {
  return childrenOf(list, 'Author').filter(({ attributes }) => attributes['ValidYN'] !== 'N');
}

function orcidsOf(list: XmlElement | undefined): string[] {
  return validAuthors(list)
    .flatMap((author) => childrenOf(author, 'Identifier'))
    .filter(({ attributes }) => attributes['Source'] === 'ORCID')
    .map((identifier) => textOf(identifier));
}

function authorsOf(list: XmlElement | undefined): string[] {
  return validAuthors(list)
    .map((author) => {
      const part = (name: string): string => textOf(childOf(author, name));
      const names = [part('ForeName') || part('Initials'), part('LastName'), part('Suffix')];
      return names.filter((name) => name !== '').join(' ') || part('CollectiveName');
    })
    .filter((name) => name !== '');
}

function electronicDoi(article: XmlElement | undefined): string {
  const location = childrenOf(article, 'ELocationID').find(
    ({ attributes }) => attributes['EIdType'] === 'doi' && attributes['ValidYN'] !== 'N',
  );
  return textOf(location);
}

/** Only from the record's own list, because lists of references have the same names. */
function articleId(element: XmlElement, type: string): string {
  const own =
    childOf(element, 'PubmedData', 'ArticleIdList') ??
    childOf(element, 'PubmedBookData', 'ArticleIdList');
  return idIn(own, type);
}

function idIn(list: XmlElement | undefined, type: string): string {
  return textOf(
    childrenOf(list, 'ArticleId').find(({ attributes }) => attributes['IdType'] === type),
  );
}

/** The references in the lists of an element, each of which may have lists of its own. */
function* referencesIn(holder: XmlElement | undefined): Generator<WrittenReference> {
  for (const list of childrenOf(holder, 'ReferenceList')) {
    for (const reference of childrenOf(list, 'Reference')) {
      const ids = childOf(reference, 'ArticleIdList');
      const identifiers = {
        doi: idIn(ids, 'doi'),
        pmid: idIn(ids, 'pubmed'),
        pmcid: idIn(ids, 'pmc') || idIn(ids, 'pmcid'),
      };
      yield { identifiers, print: () => textOf(childOf(reference, 'Citation')) };
    }
    yield* referencesIn(list);
  }
}
