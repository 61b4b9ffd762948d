/**
 * Nine styles of references, by their public rules, and what each leaves out. Volumes and pages are
 * invented, because the benchmark has none.
 */

/** The fields of a paper that a reference prints. */
export interface PrintedFields {
  title: string;
  /** "Ana van Dam". */
  authors: readonly string[];
  /** Whether "et al." follows the authors. */
  hasMore: boolean;
  year: string;
  venue: string;
  isArticle: boolean;
  doi: string;
  /** Numbers for volume, issue, and pages. */
  seed: number;
}

export interface Style {
  /** How many authors the style shows of a number; fewer than all are followed by "et al." */
  shown(count: number): number;
  /** Writes the name of an author, by its place in the list. */
  write(name: string, at: number): string;
  joining: Joining;
  /** The reference, with names of `valuesOf` in braces. `{place}` and `{link}` stand for the texts below. */
  text: string;
  /** The place of an article, of a paper in a book, and of one without a venue; nothing by default. */
  article: string;
  chapter: string;
  bare?: string;
  /** With a DOI, if the style has one. */
  link?: string;
}

/** Prints a reference in a style. */
export function print(style: Style, fields: PrintedFields): string {
  const { article, chapter, bare = '', link = '' } = style;
  const values = valuesOf(style, fields);
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
  const place = fields.isArticle ? article : chapter;
  values.set('place', fill(fields.venue === '' ? bare : place));
  values.set('link', fields.doi === '' ? '' : fill(link));
  return fill(style.text);
}

/** What styles write, by its name. */
function valuesOf(style: Style, fields: PrintedFields): Map<string, string> {
  const { seed, title, year, venue, doi } = fields;
  const names = joined(fields, style);
  const first = 1 + ((seed * 977) % 2400);
  const [volume, issue, number] = [1 + (seed % 60), 1 + (seed % 12), 1 + (seed % 90)].map(String);
  const values = { names, title, year, venue, doi, volume, issue, number };
  const range = `${first}-${first + 11}`;
  return new Map(Object.entries(values) as [string, string][])
    .set('range', range)
    .set('pages', range.replace('-', '–'))
    .set('namesEnded', ended(names, '.'))
    .set('titleEnded', ended(title, '.'))
    .set('sentence', ended(sentenceCase(title), '.'))
    .set('sentenceComma', ended(sentenceCase(title), ','))
    .set('venueEnded', ended(venue, '.'));
}

const PARTICLE = /^(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ter|ten)$/i;
const GENERATION = /^(?:jr|sr|ii|iii|iv)\.?$/i;

function partsOf(name: string): { family: string; given: string[] } {
  const words = name.split(' ').filter((word) => word !== '');
  let start = words.length - 1;
  if (start > 1 && GENERATION.test(words[start] as string)) start--;
  while (start > 1 && PARTICLE.test(words[start - 1] as string)) start--;
  return { family: words.slice(start).join(' '), given: words.slice(0, start) };
}

/** "J.-B. M.", "JBM", or the given names. */
function initialsOf(given: readonly string[], mark: '.' | ''): string {
  const letters = given.map((name) =>
    name
      .split('-')
      .map((part) => `${part.charAt(0).toUpperCase()}${mark}`)
      .join(mark === '' ? '' : '-'),
  );
  return letters.join(mark === '' ? '' : ' ');
}

type Writer = Style['write'];

/** A name that has only one part is written as it is. */
function writer(write: (family: string, given: string[]) => string): Writer {
  return (name) => {
    const { family, given } = partsOf(name);
    return given.length === 0 ? family : write(family, given);
  };
}

const asItIs: Writer = (name) => name;
const familyThenInitials = writer((family, given) => `${family}, ${initialsOf(given, '.')}`);
/** "A. van Dam". */
const initialsThenFamily = writer((family, given) => `${initialsOf(given, '.')} ${family}`);
const familyThenLetters = writer((family, given) => `${family} ${initialsOf(given, '')}`);
const withInitials = [familyThenInitials, initialsThenFamily, familyThenLetters];
/** The name with as much of it as the style shows. */
export const shortened = ({ write }: Style): Writer =>
  withInitials.includes(write) ? initialsThenFamily : asItIs;
/** "Dam, Ana van" for the first author, and the others as they are. */
const firstInverted: Writer = (name, at) => {
  const { family, given } = partsOf(name);
  return at > 0 || given.length === 0 ? name : `${family}, ${given.join(' ')}`;
};

/** What stands between two authors, and before the last of three or more. */
type Joining = Record<'two' | 'last' | 'etAl', string>;

function joined(
  { authors, hasMore }: PrintedFields,
  { write, joining: { two, last, etAl } }: Style,
): string {
  const names = authors.map(write);
  if (hasMore) return `${names.join(', ')}${etAl}`;
  if (names.length <= 2) return names.join(two);
  return `${names.slice(0, -1).join(', ')}${last}${names.at(-1)}`;
}

function joinedBy(two: string, etAl: string, last = two): Joining {
  return { two, last, etAl };
}

const all = (count: number): number => count;
const atMost =
  (most: number, otherwise: number) =>
  (count: number): number =>
    count > most ? otherwise : count;

/** Only the first letters of the title and of the subtitle stay large, and words such as "GPT". */
function sentenceCase(title: string): string {
  return title
    .split(' ')
    .map((word, at, words) => {
      const isFirst = at === 0 || /[:?!]$/.test(words[at - 1] as string);
      return isFirst || /\p{L}.*[\p{Lu}\d]/u.test(word) ? word : word.toLowerCase();
    })
    .join(' ');
}

/** With the period or comma that the style puts after the title, unless it has a mark of its own. */
function ended(title: string, mark: string): string {
  return /[.?!]$/.test(title) ? title : `${title}${mark}`;
}

const DOI = ' https://doi.org/{doi}';

export const styles: Readonly<Record<string, Style>> = {
  apa: {
    shown: atMost(20, 19),
    write: familyThenInitials,
    joining: joinedBy(', & ', ', et al.'),
    text: '{names} ({year}). {sentence}{place}{link}',
    article: ' {venue}, {volume}({issue}), {pages}.',
    chapter: ' In {venue} (pp. {pages}).',
    link: DOI,
  },
  mla: {
    shown: atMost(2, 1),
    write: firstInverted,
    joining: joinedBy(', and ', ', et al'),
    text: '{namesEnded} “{titleEnded}” {place}{link}.',
    article: '{venue}, vol. {volume}, no. {issue}, {year}, pp. {pages}',
    chapter: '{venue}, {year}, pp. {pages}',
    bare: '{year}',
    link: `,${DOI}`,
  },
  chicago: {
    shown: atMost(10, 7),
    write: firstInverted,
    joining: joinedBy(', and ', ', et al'),
    text: '{namesEnded} "{titleEnded}" {place}{link}',
    article: '{venue} {volume}, no. {issue} ({year}): {pages}.',
    chapter: 'In {venue}, {pages}. {year}.',
    bare: '{year}.',
    link: DOI,
  },
  vancouver: {
    shown: atMost(6, 6),
    write: familyThenLetters,
    joining: joinedBy(', ', ', et al'),
    text: '{names}. {sentence}{place}{link}',
    article: ' {venueEnded} {year};{volume}({issue}):{range}.',
    chapter: ' In: {venue}; {year}. p. {range}.',
    bare: ' {year}.',
    link: ' doi: {doi}',
  },
  ieee: {
    shown: atMost(6, 1),
    write: initialsThenFamily,
    joining: joinedBy(' and ', ' et al.', ', and '),
    text: '[{number}] {names}, “{sentenceComma}” {place}{link}.',
    article: '{venue}, vol. {volume}, no. {issue}, pp. {pages}, {year}',
    chapter: 'in {venue}, {year}, pp. {pages}',
    bare: '{year}',
    link: ', doi: {doi}',
  },
  acm: {
    shown: all,
    write: asItIs,
    joining: joinedBy(' and ', ', et al.', ', and '),
    text: '{namesEnded} {year}. {titleEnded}{place}{link}',
    article: ' {venue} {volume}, {issue} ({year}), {pages}.',
    chapter: ' In {venue}. {pages}.',
    link: DOI,
  },
  acl: {
    shown: all,
    write: asItIs,
    joining: joinedBy(' and ', ', et al.', ', and '),
    text: '{namesEnded} {year}. {sentence}{place}',
    article: ' {venue}, {volume}({issue}):{pages}.',
    chapter: ' In {venue}, pages {pages}.',
  },
  nature: {
    shown: atMost(5, 1),
    write: familyThenInitials,
    joining: joinedBy(' & ', ' et al.'),
    text: '{number}. {names} {sentence} {place}',
    article: '{venue} {volume}, {pages} ({year}).',
    chapter: 'In {venue} {pages} ({year}).',
    bare: '({year}).',
  },
  harvard: {
    shown: atMost(3, 1),
    write: familyThenInitials,
    joining: joinedBy(' and ', ' et al.'),
    text: '{names} ({year}) ‘{title}’{place}{link}',
    article: ', {venue}, {volume}({issue}), pp. {pages}.',
    chapter: ', in {venue}, pp. {pages}.',
    bare: '.',
    link: ` Available at:${DOI}.`,
  },
};
