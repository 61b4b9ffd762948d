/**
 * Tables whose columns have names, as spreadsheets, databases and reference managers write them.
 * What a column holds is told by its name; columns of other names are ignored.
 */
import { VerbatimError } from '../../errors.ts';
import { documentIdOf, identifiersOf, schemes } from '../../identity/identifiers.ts';
import type { Identifiers } from '../../types.ts';
import { yearOf } from '../json/citeproc.ts';
import { firstText } from '../json/fields.ts';
import { headerOf, readTable } from '../plain-text/table.ts';
import type { Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { initialsFirst, joinedNames, pubmedNames } from '../values/author-names.ts';
import { withoutMarkup } from '../values/markup.ts';
import { wosTitle } from '../values/wos-title.ts';

type Field =
  | ('id' | 'title' | 'abstract' | 'year' | 'authors' | 'venue' | keyof Identifiers)
  | ('volume' | 'language' | 'type' | 'field' | 'earlyAccess' | 'groupAuthors' | 'wosType');

/** Names of columns in small letters without blanks; an earlier one is preferred. */
const columnNames: Record<Field, readonly string[]> = {
  id: [
    ...['id', 'documentid', 'paperid', 'articleid', 'recordid', 'identifier', 'eid', 'key', 'ut'],
    'publicationid',
  ],
  title: ['title', 'articletitle', 'papertitle', 'documenttitle', 'itemtitle', 'displayname', 'ti'],
  abstract: ['abstract', 'abstracts', 'abstracttext', 'abstractnote', 'summary', 'ab'],
  year: ['year', 'publicationyear', 'pubyear', 'py', 'publicationdate', 'date', 'published'],
  authors: [
    ...['authorfullnames', 'authors', 'author', 'authornames', 'creators', 'af', 'au'],
    // OpenAlex's table has the paths of its records.
    'authorshipsauthordisplayname',
  ],
  venue: [
    ...['venue', 'journal', 'journaltitle', 'journalbook', 'sourcetitle', 'publicationtitle'],
    ...['publicationname', 'containertitle', 'booktitle', 'conference', 'so'],
    'primarylocationsourcedisplayname',
  ],
  // The book of a chapter, where the venue is empty or a series.
  volume: ['anthologytitle'],
  doi: ['doi', 'itemdoi', 'doilink', 'doiurl', 'di'],
  arxiv: ['arxiv', 'arxivid'],
  pmid: ['pmid', 'pubmedid', 'pm'],
  pmcid: ['pmcid', 'pmc'],
  acl: ['acl', 'aclid', 'anthologyid'],
  openalex: ['openalex', 'openalexid'],
  s2: ['s2', 's2id', 'corpusid', 'semanticscholarid'],
  language: ['language', 'languageoforiginaldocument', 'la'],
  field: ['fieldofstudy', 'fieldsofstudy', 'field', 'discipline', 'researchareas', 'sc'],
  type: ['type', 'documenttype', 'publicationtype', 'itemtype', 'contenttype', 'dt'],
  // Web of Science: the online date of papers without a year, and "P" for patents.
  earlyAccess: ['ea', 'earlyaccessdate'],
  groupAuthors: ['ca', 'groupauthors'],
  wosType: ['pt'],
};

const TEXTS = ['title', 'abstract'] as const;

export const csvFormat: Format = {
  name: 'csv',
  description: 'CSV or TSV with a line of column names: title, abstract, doi, year, ...',
  recognizes: ({ text }) => {
    const indexes = columnIndexes(headerOf(text).columns);
    const has = (field: Field): boolean => indexes[field] !== undefined;
    const others = (['abstract', 'authors', 'year', 'venue'] as const).filter(has);
    // Without an id, more columns are required: the first line of any text may contain two names.
    const isEnough = TEXTS.every(has) || (has('title') && others.length > 1);
    return TEXTS.some(has) && (isEnough || (['id', ...schemes] as const).some(has));
  },
  columns: ({ text }) => {
    const { names, columns } = headerOf(text);
    const used = Object.entries(columnIndexes(columns)).map(([field, index]) => {
      return { column: names[index] ?? '', field };
    });
    const ignored = names.filter((name) => !used.some(({ column }) => column === name));
    return { used, ignored };
  },
  async *entries(source, limits) {
    const { columns, rows } = await readTable(source, limits);
    const indexes = columnIndexes(columns);
    // Springer's table has nothing between two names.
    const isJoined = columns.includes('itemdoi');
    if (columns.length > 0 && TEXTS.every((field) => indexes[field] === undefined)) {
      const problem = 'no column has the name of a title or of an abstract';
      throw new VerbatimError('unreadable_input', `cannot index ${source.path}: ${problem}`);
    }
    for await (const row of rows) {
      if ('problem' in row) {
        yield row;
        continue;
      }
      const cell = (field: Field): string => firstText(row.cells[indexes[field] ?? -1]);
      const { line } = row;
      const raw = row.raw === undefined ? {} : { raw: row.raw };
      const other = otherThanPaper(cell('wosType'), cell('type'));
      if (other !== undefined) {
        yield { line, ...raw, problem: `not a paper but ${other}`, reason: 'not_a_paper' };
        continue;
      }
      const identifiers = identifiersOf(
        Object.fromEntries(schemes.map((scheme) => [scheme, cell(scheme)])),
      );
      const title = withoutMarkup(cell('title')).replace(/\s+/g, ' ');
      const names = isJoined
        ? joinedNames(withoutMarkup(cell('authors'))).join(';')
        : withoutMarkup(cell('authors'));
      const split = splitNames(names);
      const document = {
        id: documentIdOf(identifiers, cell('id')),
        ...(cell('wosType') === '' ? { title } : wosTitle(title, [cell('type')])),
        abstract: withoutMarkup(cell('abstract')),
        year: yearOf(cell('year')) || yearOf(cell('earlyAccess')),
        authors: [
          ...(pubmedNames(names) ?? split),
          ...cell('groupAuthors')
            .split(/;\s+/)
            .filter((name) => name !== ''),
        ],
        venue: withoutMarkup(cell('volume') || cell('venue')),
        identifiers,
        updatedAt: 0,
      };
      const about = aboutOf([cell('language')], [cell('type')], [cell('field')]);
      yield { line, ...raw, document, about, firstAuthor: split[0] ?? document.authors[0] ?? '' };
    }
  },
};

/** What a row is if it is no paper. Zotero lists attachments among the papers. */
function otherThanPaper(wosType: string, type: string): string | undefined {
  if (wosType === 'P') return 'a patent';
  return /^attachment$/i.test(type) ? 'an attachment' : undefined;
}

/** The index of the column of each field. */
function columnIndexes(columns: readonly string[]): Partial<Record<Field, number>> {
  const indexes: Partial<Record<Field, number>> = {};
  for (const [field, names] of Object.entries(columnNames) as [Field, readonly string[]][]) {
    const name = names.find((candidate) => columns.includes(candidate));
    if (name !== undefined) indexes[field] = columns.indexOf(name);
  }
  return indexes;
}

/**
 * The names in a cell. Commas separate names only if each part has a first and a last name: "Berg,
 * Anna" is one name.
 */
function splitNames(cell: string): string[] {
  const separator = [/;/, /\|/, /\n/, / and /].find((candidate) => candidate.test(cell));
  const parts = cell.split(separator ?? ',').map((part) => part.trim());
  const areWhole = separator !== undefined || parts.every((part) => part.includes(' '));
  return (areWhole ? parts : [cell]).map(inOrder).filter((name) => name !== '');
}

/**
 * Returns "Anna Berg" for "Berg, Anna", and also reorders Scopus's "Berg A.M." and "Berg, Anna
 * (57000000001)", which ends with Scopus's number of the author.
 */
function inOrder(text: string): string {
  const name = text.replace(/\s*\(\d+\)$/, '');
  const [last = '', first = '', ...rest] = name.split(/\s*,\s*/);
  if (first !== '') return rest.length > 0 ? name : `${first} ${last}`;
  return initialsFirst(name);
}
