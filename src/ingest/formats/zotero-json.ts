/** Items of Zotero: Better BibTeX JSON, a library with its settings, and answers of Zotero's API. */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { yearOf } from '../json/citeproc.ts';
import { firstText, isObject, type JsonRecord, readObject, readObjects } from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import type { EntryContent } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';
import { extraOf } from '../values/zotero-extra.ts';

const NOT_PAPERS = ['attachment', 'note', 'annotation', 'patent'];

/** Fields of all items, or of those by people. */
const ITEM_FIELDS = ['itemID', 'key', 'creators'];

export const zoteroJsonFormat = jsonFormat({
  name: 'zotero-json',
  description: 'items of Zotero: Better BibTeX JSON, or answers of its API',
  matches: (record) => {
    const item = itemOf(record);
    const isItem = ITEM_FIELDS.some((field) => field in item);
    return isLibrary(record) || (typeof item['itemType'] === 'string' && isItem);
  },
  read: (record) =>
    isLibrary(record) ? readObjects(record, 'items').map(readItem) : readItem(itemOf(record)),
});

function isLibrary(record: JsonRecord): boolean {
  return readObject(record, 'config')['label'] === 'BetterBibTeX JSON';
}

/** The item itself: the API has it with its links. */
function itemOf(record: JsonRecord): JsonRecord {
  return isObject(record['data']) ? record['data'] : record;
}

function readItem(item: JsonRecord): EntryContent {
  const type = firstText(item['itemType']);
  if (NOT_PAPERS.includes(type)) {
    return { problem: `not a paper but ${type}`, reason: 'not_a_paper' };
  }
  const extra = extraOf(
    [item['extra']]
      .flat()
      .map((text) => firstText(text))
      .join('\n'),
  );
  const url = firstText(item['url']);
  const archived = firstText(item['archiveID']);
  const identifiers = identifiersOf({
    doi: [item['DOI'], extra('DOI'), url].find((doi) => identifiersOf({ doi }).doi),
    arxiv: [extra('arXiv'), archived, url].find((text) => /\barxiv/i.test(text)),
    pmid: item['PMID'] ?? extra('PMID'),
    pmcid: item['PMCID'] ?? extra('PMCID'),
    acl: /\baclanthology\.org\//i.test(url) ? url : undefined,
  });
  const name = firstText(item['citationKey'], item['itemKey'], item['key']);
  const document = {
    id: documentIdOf(identifiers, name),
    title: markupToLine(firstText(item['title'], item['caseName'], item['nameOfAct'])),
    abstract: markupToAbstract(firstText(item['abstractNote'])),
    year: yearOf(item['date']),
    authors: readObjects(item, 'creators')
      .filter(({ creatorType }) => creatorType === 'author')
      .map(nameOf)
      .filter((author) => author !== ''),
    venue: markupToLine(
      firstText(item['publicationTitle'], item['proceedingsTitle'], item['bookTitle']),
    ),
    identifiers,
    updatedAt: 0,
  };
  return { document, about: aboutOf([item['language']], [type]) };
}

function nameOf(person: JsonRecord): string {
  const own = [person['firstName'], person['lastName']].map((part) => firstText(part));
  return own.filter((part) => part !== '').join(' ') || firstText(person['name']);
}
