/**
 * References as they are printed in a bibliography or a chat. Styles differ, so a text gets several
 * readings, and the index tells which of them is right: the titles of the works that it may mean are
 * looked for in the text itself. Pure.
 */
import { identifiersOf } from '../../identity/identifiers.ts';
import { plainName } from '../../search/papers/person-name.ts';
import type { Identifiers } from '../../types.ts';
import { compareFields, type FieldName } from './compare-fields.ts';
import { type Fields, fieldsAround } from './printed/fields-around.ts';
import { takeIdentifiers } from './printed/identifiers-in-text.ts';
import type { Names } from './printed/names-before.ts';
import { plainText } from './printed/plain-text.ts';
import { findTitle, type LetterMap, mapLetters } from './printed/title-runs.ts';
import { titleSpans } from './printed/title-spans.ts';
import { untitledSpan } from './printed/untitled-span.ts';
import {
  type Correction,
  type ReadReference,
  type Reference,
  UnreadableReference,
} from './reference.ts';
import { wordsOf } from './titles.ts';
import { hasIdentifier, type Work } from './work.ts';

/** Only the beginning of a longer text is read: it is not a reference. */
const READ_CHARACTERS_MAX = 20_000;
/** Unrelated works share shorter titles, and venues have such names. */
const TITLE_LETTERS_MIN = 24;

/** Throws UnreadableReference for a text with nothing to look up. */
export function readPrintedReference(text: string): ReadReference {
  const plain = plainText(text.slice(0, READ_CHARACTERS_MAX));
  const { identifiers, words } = takeIdentifiers(plain);
  const isIdentified = Object.keys(identifiers).length > 0;
  const count = (words.match(/\p{L}{2,}/gu) ?? []).length;
  if (count < (isIdentified ? 2 : 1)) return readIdentifiers(plain, identifiers);
  const readings = titleSpans(words).map((span) =>
    referenceOf(fieldsAround(words, span), identifiers),
  );
  let made: LetterMap | undefined;
  const map = (): LetterMap => {
    made ??= mapLetters(words);
    return made;
  };
  return {
    format: 'text',
    readings,
    words,
    hasTitle: (recorded) => findTitle(map(), recorded) !== undefined,
    readBeside: (works) => works.flatMap((work) => readBeside(map(), work, identifiers)),
    write: (correction) => printed(readings[0], correction),
  };
}

/** A number alone may be a PMID or a Semantic Scholar id. */
function readIdentifiers(text: string, identifiers: Identifiers): ReadReference {
  const isNumber = /^\d{4,15}$/.test(text);
  const all = isNumber
    ? [identifiersOf({ pmid: text }), identifiersOf({ s2: text })]
    : [identifiers];
  const known = all.filter((each) => Object.keys(each).length > 0);
  if (known.length === 0) {
    throw new UnreadableReference('it has no words and no identifier of a kind that is indexed');
  }
  const readings = known.map((each) => ({ ...EMPTY, identifiers: each }));
  return { format: 'text', readings, write: (correction) => printed(readings[0], correction) };
}

const EMPTY: Omit<Reference, 'identifiers'> = {
  title: '',
  authors: [],
  hasMoreAuthors: false,
  year: 0,
  venue: '',
};

/** The likeliest of each field. */
function referenceOf({ title, names, years, venues }: Fields, identifiers: Identifiers): Reference {
  const [{ authors, hasMoreAuthors }] = names as [Names];
  const [year = 0] = years;
  const [venue = ''] = venues;
  return { title, authors, hasMoreAuthors, year, venue, identifiers };
}

/**
 * The reading in which the text has a title of the work, or in which it has its identifier and no title at
 * all; none if it has neither.
 */
function readBeside(map: LetterMap, work: Work, identifiers: Identifiers): Reference[] {
  const titles = [...new Set(work.records.map(({ title }) => title))];
  const spans = titles.flatMap((title) => findTitle(map, title) ?? []);
  const [span] = spans.sort((a, b) => b.end - b.start - (a.end - a.start));
  if (span === undefined) {
    return hasIdentifier(work, identifiers) ? readUntitled(map.text, work, identifiers) : [];
  }
  const fields = fieldsAround(map.text, span);
  const reading = agreeing(referenceOf(fields, identifiers), fields, work);
  const letters = reading.title.replace(/[^\p{L}\p{N}]/gu, '').length;
  // After a colon it may be the end of another title.
  const isWhole = letters >= TITLE_LETTERS_MIN && !/:\s*$/.test(map.text.slice(0, span.start));
  const { authors, hasMoreAuthors } = reading;
  return isWhole || agrees({ authors, hasMoreAuthors }, 'authors', work) ? [reading] : [];
}

/** The reading without a title, if nothing is left in its place but the name of a journal. */
function readUntitled(text: string, work: Work, identifiers: Identifiers): Reference[] {
  const authors = work.records.flatMap((record) => record.authors.map(plainName));
  const span = untitledSpan(text, authors);
  if (span === undefined) return [];
  const fields = fieldsAround(text, span);
  const reading = agreeing(referenceOf(fields, identifiers), fields, work);
  const venueWords = work.records.flatMap(({ venue }) => [...wordsOf(venue)]);
  // "Astrophys" and "Astrophysical" are words of the venue; those of a title are not.
  const isVenue = span.words.every((word) => venueWords.some((own) => own.startsWith(word)));
  return span.isAbbreviated || isVenue ? [reading] : [];
}

/** The reading whose fields agree with the work where the text allows it. */
function agreeing(first: Reference, { names, years, venues }: Fields, work: Work): Reference {
  const reading = { ...first };
  const people = names.find((each) => agrees(each, 'authors', work));
  reading.venue = venues.find((venue) => agrees({ venue }, 'venue', work)) ?? first.venue;
  // The year of a preprint depends on what else is cited.
  const { venue, identifiers } = reading;
  const year = years.find((each) => agrees({ year: each, venue, identifiers }, 'year', work));
  return { ...reading, ...people, year: year ?? first.year };
}

/** Whether a part of a reading agrees with the work in a field. */
function agrees(part: Partial<Reference>, field: FieldName, work: Work): boolean {
  const fields = compareFields({ ...EMPTY, identifiers: {}, ...part }, work);
  return fields.some((one) => one.field === field && one.verdict === 'same');
}

function printed(reading: Reference | undefined, correction: Correction): string {
  const { title = '', authors = [], year = 0, venue = '' } = { ...reading, ...correction };
  const { doi } = correction.identifiers ?? reading?.identifiers ?? {};
  const names = authors.join(', ');
  const dated = (text: string): string => (year === 0 ? text : `${text} (${year})`);
  const parts = [
    ...(names === '' ? [dated(title)] : [dated(names), title]),
    venue,
    ...(doi === undefined ? [] : [`https://doi.org/${doi}`]),
  ];
  return parts.filter((part) => part !== '').join('. ');
}
