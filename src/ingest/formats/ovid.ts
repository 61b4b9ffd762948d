/**
 * Ovid's tagged lines: `<1. >`, `VN  - Ovid Technologies`, `TI  - A title`. The databases that Ovid
 * hosts use different tags for the same.
 */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { type TaggedValues, taggedFormat } from '../plain-text/tagged-format.ts';
import type { EntryContent } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst, initialsFirst } from '../values/author-names.ts';
import { pubmedTitle } from '../values/pubmed-title.ts';

/** The number of a record has the tag "<". Continuation lines are indented further. */
const TAG = /^\s{0,3}(<(?=\d+\. ?>)|[A-Z][A-Z0-9]{1,5}(?= {1,2}-(?: |\s*$)))(?: {1,2}- ?(.*)|.*)$/s;
const VENDOR = /^\s{0,3}VN {1,2}- Ovid Technologies/;

/** What databases add to titles: "[References].", "[Original Article]". */
const TITLE_END =
  / \[(?:References|(?!Retract)[\w ]*(?:Articles?|Reviews?|Reports?|Letters?|Editorials?|Abstracts?|Miscellaneous))\]\.?$/;

/** Editors before the title of a book: "Berg, Anna [Ed]. (2012). Shores. (pp. 1-9)". */
const EDITORS = /^.*\[Ed[^[\]]*\]\.?\s*(?:\(\d{4}\)\.\s*)?/s;
/** Where a journal's or book's name ends: "Shores. Vol.4(2), 2015", "Shores June 2015;4(2):1-9". */
const AFTER_VENUE =
  /(?:[.,;]? (?:Vol\b|\(?(?:pp\b|\d)|Conference:|(?:January|February|March|April|May|June|July|August|September|October|November|December|Spring|Summer|Autumn|Fall|Winter)\b)|\.:\d).*$/s;
const YEAR_IN_SOURCE = /(?:[\p{L},.] )((?:19|20)\d\d)(?![-\d])/u;

/** A longer text is not a name. */
const AUTHOR_CHARACTERS_MAX = 200;

export const ovidFormat = taggedFormat({
  name: 'ovid',
  description: "Ovid's tagged lines",
  recognizes: ({ lines }) => lines.some((line) => VENDOR.test(line)),
  tag: TAG,
  first: ({ tag }, before) => tag === '<' || (tag === 'VN' && before?.has('VN') !== false),
  read: readRecord,
});

function readRecord({ all, first }: TaggedValues): EntryContent {
  const words = (...tags: string[]): string[] =>
    all(...tags).map((text) => text.replace(/\.$/, ''));
  const line = (...tags: string[]): string => first(...tags).replace(/\s+/g, ' ');
  const types = words('PT', 'DT');
  if (types.includes('Patent')) {
    return { problem: 'not a paper but a patent', reason: 'not_a_paper' };
  }
  const isFromMedline = /medline/i.test(first('DB'));
  const identifiers = identifiersOf({
    doi: all('DO', 'DI').find((value) => identifiersOf({ doi: value }).doi),
    pmid: /^\d+/.exec(isFromMedline ? first('UI', 'PM') : first('PM'))?.[0],
  });
  const source = line('SO');
  const document = {
    id: documentIdOf(identifiers, first('AN', 'UI').replace(/\.$/, '')),
    title: pubmedTitle(line('TI').replace(TITLE_END, ''), first('TO')),
    abstract: all('AB').join('\n\n'),
    year: Number(/\d{4}/.exec(first('YR', 'DP'))?.[0] ?? YEAR_IN_SOURCE.exec(source)?.[1] ?? 0),
    authors: all('AU')
      .flatMap((names) => names.replace(/\[[^[\]]*\]/g, '').split(/;\s*/))
      .map(nameOf)
      .filter((name) => name !== ''),
    venue:
      first('JN', 'JT') || source.replace(EDITORS, '').replace(AFTER_VENUE, '').replace(/\.$/, ''),
    identifiers,
    updatedAt: 0,
  };
  return {
    document,
    about: aboutOf(words('LG', 'LA'), types),
  };
}

/** "Berg, Anna M. MD, PhD 1,2" as "Anna M. Berg". The numbers and signs are those of addresses. */
function nameOf(text: string): string {
  if (text.length > AUTHOR_CHARACTERS_MAX) return text;
  const name = text.trim().replace(/(?:\s+[\d,*+#]+)+$|(?<=\p{Ll})\.$/gu, '');
  const degrees = /(?<=,\s*\S.*)\s(?:(?![IVX]+\b)[A-Z]{2,}|Ph\.?D|M\.D)\b.*$/s;
  return initialsFirst(givenFirst(name.replace(degrees, '')));
}
