/**
 * Refer, the tagged lines of EndNote's .enw files and of many databases: `%T A title`. Records begin
 * with `%0`, their type, or follow a blank line.
 */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { type TaggedValues, taggedFormat } from '../plain-text/tagged-format.ts';
import type { EntryContent } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst, initialsFirst } from '../values/author-names.ts';

const TAG = /^\s{0,3}%([0-9A-Za-z@!#$&*()+^<>[\]=?~,:'])(?: (.*)|\s*)$/s;

/** Tags that may come first. After a blank line, others continue the record. */
const LEADING = '0ATEFLQ';

/** EndNote's own names of types, of which some papers have none. */
const TYPE = /^\s{0,3}%0 [A-Z]/;

export const referFormat = taggedFormat({
  name: 'refer',
  description: 'Refer, as in .enw files of EndNote and of databases',
  recognizes: ({ lines }) =>
    lines.some((line) => TYPE.test(line)) ||
    ['A', 'T'].every((tag) => lines.some((line) => TAG.exec(line)?.[1] === tag)),
  tag: TAG,
  first: ({ tag, isAfterBlank }, before) => {
    if (before === undefined) return true;
    return (tag === '0' && before.has('0')) || (isAfterBlank && LEADING.includes(tag));
  },
  read: readRecord,
});

function readRecord({ all, first }: TaggedValues): EntryContent {
  const links = all('U', '>', '3');
  const isFromPubmed = /pubmed|medline/i.test(first('~', 'W'));
  const identifiers = identifiersOf({
    doi: [...all('R', '3', 'M', 'L'), ...links].find((value) => identifiersOf({ doi: value }).doi),
    arxiv: [...links, ...all('R')].find((value) => /\barxiv(?:\.org\/|:)/i.test(value)),
    pmid: isFromPubmed ? first('M') : undefined,
    pmcid: all('2').find((value) => /^PMC\d+$/i.test(value)),
    acl: links.find((link) => /\baclanthology\.org\//i.test(link)),
  });
  const document = {
    id: documentIdOf(identifiers, first('F', 'M')),
    title: first('T'),
    abstract: all('X').join('\n\n'),
    year: Number(/(?<!\d)[12]\d{3}(?!\d)/.exec(first('D', '8'))?.[0] ?? 0),
    authors: all('A')
      .flatMap((names) => names.split(/;\s*/))
      .map((name) => initialsFirst(givenFirst(name)))
      .filter((name) => name !== ''),
    venue: first('J', 'B'),
    identifiers,
    updatedAt: 0,
  };
  return { document, about: aboutOf([first('G')], all('0', '9')) };
}
