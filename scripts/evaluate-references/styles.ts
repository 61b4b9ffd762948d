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

/** The fields of a paper as a style writes them. */
interface StyledFields extends PrintedFields {
  names: string;
  volume: number;
  issue: number;
  pages: string;
}

export interface Style {
  /** How many authors the style shows of a number; fewer than all are followed by "et al." */
  shown(count: number): number;
  hasInitials: boolean;
  hasDoi: boolean;
  /** Writes the name of an author, by its place in the list. */
  write(name: string, at: number): string;
  joining: Joining;
  /** The reference. An empty venue is left out. */
  line(fields: StyledFields): string;
}

/** Prints a reference in a style. */
export function print(style: Style, fields: PrintedFields): string {
  const { seed } = fields;
  const first = 1 + ((seed * 977) % 2400);
  return style.line({
    ...fields,
    names: joined(fields, style),
    volume: 1 + (seed % 60),
    issue: 1 + (seed % 12),
    pages: `${first}–${first + 11}`,
  });
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

type Writer = (name: string) => string;

const familyThenInitials: Writer = (name) => {
  const { family, given } = partsOf(name);
  return given.length === 0 ? family : `${family}, ${initialsOf(given, '.')}`;
};
/** "A. van Dam". */
export const initialsThenFamily: Writer = (name) => {
  const { family, given } = partsOf(name);
  return given.length === 0 ? family : `${initialsOf(given, '.')} ${family}`;
};
const familyThenLetters: Writer = (name) => {
  const { family, given } = partsOf(name);
  return given.length === 0 ? family : `${family} ${initialsOf(given, '')}`;
};
/** "Dam, Ana van" for the first author, and the others as they are. */
const firstInverted: Style['write'] = (name, at) => {
  const { family, given } = partsOf(name);
  return at > 0 || given.length === 0 ? name : `${family}, ${given.join(' ')}`;
};

interface Joining {
  /** Between two. */
  two: string;
  /** Before the last of three or more. */
  last: string;
  etAl: string;
}

function joined(
  { authors, hasMore }: PrintedFields,
  { write, joining: { two, last, etAl } }: Style,
): string {
  const names = authors.map(write);
  if (hasMore) return `${names.join(', ')}${etAl}`;
  if (names.length <= 2) return names.join(two);
  return `${names.slice(0, -1).join(', ')}${last}${names.at(-1)}`;
}

/** The same word between two names and before the last of more. */
function joinedBy(word: string, etAl: string): Joining {
  return { two: word, last: word, etAl };
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

const address = ({ doi }: PrintedFields): string => (doi === '' ? '' : ` https://doi.org/${doi}`);

/** The text after the title; empty without a venue, or else `without`. */
function placed({ venue }: PrintedFields, text: string, without = ''): string {
  return venue === '' ? without : text;
}

export const styles: Readonly<Record<string, Style>> = {
  apa: {
    shown: atMost(20, 19),
    hasInitials: true,
    hasDoi: true,
    write: familyThenInitials,
    joining: joinedBy(', & ', ', et al.'),
    line(fields) {
      const { names, title, venue, isArticle, year, volume, issue, pages } = fields;
      const where = isArticle
        ? ` ${venue}, ${volume}(${issue}), ${pages}.`
        : ` In ${venue} (pp. ${pages}).`;
      return `${names} (${year}). ${ended(sentenceCase(title), '.')}${placed(fields, where)}${address(fields)}`;
    },
  },
  mla: {
    shown: atMost(2, 1),
    hasInitials: false,
    hasDoi: true,
    write: firstInverted,
    joining: joinedBy(', and ', ', et al'),
    line(fields) {
      const { names, title, venue, isArticle, year, volume, issue, pages } = fields;
      const where = [
        venue,
        ...(isArticle ? [`vol. ${volume}`, `no. ${issue}`] : []),
        year,
        placed(fields, `pp. ${pages}`),
      ];
      const place = where.filter((part) => part !== '').join(', ');
      const doi = fields.doi === '' ? '' : `,${address(fields)}`;
      return `${ended(names, '.')} “${ended(title, '.')}” ${place}${doi}.`;
    },
  },
  chicago: {
    shown: atMost(10, 7),
    hasInitials: false,
    hasDoi: true,
    write: firstInverted,
    joining: joinedBy(', and ', ', et al'),
    line(fields) {
      const { names, title, venue, isArticle, year, volume, issue, pages } = fields;
      const where = isArticle
        ? `${venue} ${volume}, no. ${issue} (${year}): ${pages}.`
        : `In ${venue}, ${pages}. ${year}.`;
      const place = placed(fields, where, `${year}.`);
      return `${ended(names, '.')} "${ended(title, '.')}" ${place}${address(fields)}`;
    },
  },
  vancouver: {
    shown: atMost(6, 6),
    hasInitials: true,
    hasDoi: true,
    write: familyThenLetters,
    joining: joinedBy(', ', ', et al'),
    line(fields) {
      const { names, title, venue, isArticle, year, doi, volume, issue } = fields;
      const pages = fields.pages.replace('–', '-');
      const where = isArticle
        ? ` ${ended(venue, '.')} ${year};${volume}(${issue}):${pages}.`
        : ` In: ${venue}; ${year}. p. ${pages}.`;
      const ending = doi === '' ? '' : ` doi: ${doi}`;
      return `${names}. ${ended(sentenceCase(title), '.')}${placed(fields, where, ` ${year}.`)}${ending}`;
    },
  },
  ieee: {
    shown: atMost(6, 1),
    hasInitials: true,
    hasDoi: true,
    write: initialsThenFamily,
    joining: { two: ' and ', last: ', and ', etAl: ' et al.' },
    line(fields) {
      const { names, title, venue, isArticle, year, doi, seed, volume, issue, pages } = fields;
      const where = isArticle
        ? `${venue}, vol. ${volume}, no. ${issue}, pp. ${pages}, ${year}`
        : `in ${venue}, ${year}, pp. ${pages}`;
      const ending = doi === '' ? '' : `, doi: ${doi}`;
      return `[${1 + (seed % 90)}] ${names}, “${ended(sentenceCase(title), ',')}” ${placed(fields, where, year)}${ending}.`;
    },
  },
  acm: {
    shown: all,
    hasInitials: false,
    hasDoi: true,
    write: (name) => name,
    joining: { two: ' and ', last: ', and ', etAl: ', et al.' },
    line(fields) {
      const { names, title, venue, isArticle, year, volume, issue, pages } = fields;
      const where = isArticle
        ? ` ${venue} ${volume}, ${issue} (${year}), ${pages}.`
        : ` In ${venue}. ${pages}.`;
      return `${ended(names, '.')} ${year}. ${ended(title, '.')}${placed(fields, where)}${address(fields)}`;
    },
  },
  acl: {
    shown: all,
    hasInitials: false,
    hasDoi: false,
    write: (name) => name,
    joining: { two: ' and ', last: ', and ', etAl: ', et al.' },
    line(fields) {
      const { names, title, venue, isArticle, year, volume, issue, pages } = fields;
      const where = isArticle
        ? ` ${venue}, ${volume}(${issue}):${pages}.`
        : ` In ${venue}, pages ${pages}.`;
      return `${ended(names, '.')} ${year}. ${ended(sentenceCase(title), '.')}${placed(fields, where)}`;
    },
  },
  nature: {
    shown: atMost(5, 1),
    hasInitials: true,
    hasDoi: false,
    write: familyThenInitials,
    joining: joinedBy(' & ', ' et al.'),
    line(fields) {
      const { names, title, venue, isArticle, year, seed, volume, pages } = fields;
      const where = isArticle ? `${venue} ${volume}, ${pages}` : `In ${venue} ${pages}`;
      const place = placed(fields, `${where} (${year}).`, `(${year}).`);
      return `${1 + (seed % 90)}. ${names} ${ended(sentenceCase(title), '.')} ${place}`;
    },
  },
  harvard: {
    shown: atMost(3, 1),
    hasInitials: true,
    hasDoi: true,
    write: familyThenInitials,
    joining: joinedBy(' and ', ' et al.'),
    line(fields) {
      const { names, title, venue, isArticle, year, volume, issue, pages } = fields;
      const where = isArticle
        ? `, ${venue}, ${volume}(${issue}), pp. ${pages}.`
        : `, in ${venue}, pp. ${pages}.`;
      const ending = fields.doi === '' ? '' : ` Available at:${address(fields)}.`;
      return `${names} (${year}) ‘${title}’${placed(fields, where, '.')}${ending}`;
    },
  },
};
