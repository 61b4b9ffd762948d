/**
 * Articles of the Directory of Open Access Journals: its data dump, pages of its API, single
 * articles, or JSON Lines (doaj.org/docs). Journals have similar records.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
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
import { congressField } from '../values/congress-field.ts';
import { detailsOf } from '../values/details.ts';
import { titledId } from '../values/local-id.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';

export const doajFormat = jsonFormat({
  name: 'doaj',
  description: "DOAJ's articles: its data dump, pages of its API, or JSON Lines",
  matches: (record) => isObject(record['bibjson']),
  read: readArticle,
});

function readArticle(record: JsonRecord): EntryContent {
  const article = readObject(record, 'bibjson');
  const isJournal = !isObject(article['journal']) && ('pissn' in article || 'eissn' in article);
  if (isJournal) return { problem: 'not a paper but a journal', reason: 'not_a_paper' };
  const idOf = (type: string): string =>
    firstText(
      readObjects(article, 'identifier').find((each) => firstText(each['type']) === type)?.['id'],
    );
  const identifiers = identifiersOf({ doi: idOf('doi') });
  const title = markupToLine(firstText(article['title']));
  const id = firstText(record['id']);
  return {
    document: {
      id: documentIdOf(identifiers, id === '' ? titledId('doaj', title) : `DOAJ:${id}`),
      title,
      abstract: markupToAbstract(firstText(article['abstract'])),
      year: yearOf(article['year']),
      authors: readObjects(article, 'author')
        .map(({ name }) => firstText(name))
        .filter((name) => name !== ''),
      venue: markupToLine(firstText(readObject(article, 'journal')['title'])),
      identifiers,
      // The directory has only open-access journals.
      ...detailsOf({
        types: ['article'],
        openAccess: true,
        openAccessUrls: readObjects(article, 'link')
          .filter(({ type }) => firstText(type) === 'fulltext')
          .map(({ url }) => url),
      }),
      updatedAt: readTimeIfAny(record, 'last_updated'),
    },
    about: aboutOf([], [], [fieldOf(article)]),
  };
}

/** The field of its journal's first class. */
function fieldOf(article: JsonRecord): string | undefined {
  const first = readObjects(article, 'subject').find(({ scheme }) => firstText(scheme) === 'LCC');
  return congressField(firstText(first?.['code']));
}
