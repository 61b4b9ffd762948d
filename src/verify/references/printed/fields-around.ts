/** The fields around the title of a printed reference. Pure. */
import { type Names, readNames } from './names-before.ts';
import type { Span } from './title-spans.ts';

/** What may follow the title, for each field the likeliest first. At least one of each. */
export interface Fields {
  title: string;
  names: Names[];
  years: number[];
  venues: string[];
}

/** Parts after the title that may belong to the name of the venue. */
const PARTS_MAX = 6;
const VENUES_MAX = 24;
/** A longer text does not stand between a title and a year. */
const AFTER_CHARACTERS_MAX = 2_000;
const YEAR = /(?<![\d./–—:-])(?:1[6-9]|20)\d\d(?=[a-z]?(?![\p{L}\d/–—-]))/gu;
const EXPLICIT = /[([]((?:1[6-9]|20)\d\d)[a-z]?(?:[,;][^()[\]]{0,40})?[)\]]/;
const BEFORE = /(?:^|[\s.,([])((?:1[6-9]|20)\d\d)[a-z]?[).,:\]\s]{0,4}["“‘'„«]?$/;
/** When and where it was read is nothing of the work. */
const ACCESS =
  /[([]?\b(?:last\s+)?(?:accessed|retrieved|cited|available|visited|url|abgerufen)\b[\s:].*$/i;
const NO_VENUE =
  /^(?:\d+[.,;:)]|(?:vol(?:ume)?|no|issue|pp?|pages?|art(?:icle)?|eds?|edited|doi|available)\b)/i;
/** "A. Berg and B. Dahl, editors," */
const EDITORS = /^.{0,300}?\b(?:editors?|eds?)\b[.)]{0,2},?\s/i;
const PAGES =
  /\b(?:pp?\.|pages?)\s?[\w.]{1,10}(?:\s?[-–—]{1,2}\s?[\w.]{1,10})?|(?<=:\s?)\d{1,6}[-–—]{1,2}\d{1,6}/gi;

/** The fields of a reference whose title is at a place of its text. */
export function fieldsAround(text: string, { start, end }: Span): Fields {
  const before = text.slice(0, start);
  const after = text
    .slice(end, end + AFTER_CHARACTERS_MAX)
    .replace(ACCESS, '')
    .replace(/^[\s.,:;?!"“”»’'‘`)\]]+/u, '');
  return {
    title: text.slice(start, end),
    names: readNames(before),
    years: yearsIn(before, after),
    venues: venuesIn(after),
  };
}

/** The year before the title; without one, those after it. */
function yearsIn(before: string, after: string): number[] {
  const early = EXPLICIT.exec(before)?.[1] ?? BEFORE.exec(before)?.[1];
  if (early !== undefined) return [Number(early)];
  const rest = after.replace(PAGES, ' ');
  const explicit = EXPLICIT.exec(rest)?.[1];
  const all = [...rest.matchAll(YEAR)].map(([year]) => Number(year)).reverse();
  return [...new Set(explicit === undefined ? all : [Number(explicit), ...all])];
}

/** Runs of parts after the title: venues may have commas and periods in their names. */
function venuesIn(after: string): string[] {
  const rest = after
    .replace(/^in(?::|\b)\s*/i, '')
    .replace(/^(?:presented at|paper presented at)\s+/i, '');
  const own = rest.replace(EDITORS, '');
  const parts = own.split(/([.,;:()[\]]\s*)/).slice(0, 2 * PARTS_MAX);
  const venues: string[] = [];
  for (let first = 0; first < parts.length; first += 2) {
    for (let length = 1; first + length <= parts.length; length += 2) {
      venues.push(clean(parts.slice(first, first + length).join('')));
    }
  }
  return [...new Set([firstVenue(own), ...venues, firstVenue(rest)])]
    .filter((venue) => /\p{L}{2}/u.test(venue) && !NO_VENUE.test(venue))
    .slice(0, VENUES_MAX);
}

/** The text up to volume, pages, and year. */
function firstVenue(rest: string): string {
  const [venue = ''] = rest.split(
    /,?\s(?:vol\.?|pp?\.|pages|no\.)\s|[,.;(]\s*\d|\s\d+\s*[(:,]|,\s|\.\s(?=\p{Lu}\p{Ll}+\s\p{Lu}?\p{Ll})|\s\(/u,
    1,
  );
  return clean(venue);
}

/** Without volume, year, and marks at the ends. */
function clean(venue: string): string {
  return venue
    .replace(/^(?:in\b|[\s.,;:()[\]])+/i, '')
    .replace(/(?:(?:,|\s)(?:vol\.?|no\.?|volume)?\s?\d{1,5})?[\s.,;:([]*$/, '')
    .trim();
}
