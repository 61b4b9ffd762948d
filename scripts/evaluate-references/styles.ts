/**
 * Nine styles of references, by their public rules, and what each leaves out. Volumes and pages are
 * invented, because the benchmark has none.
 */

/** What a reference has of a paper. */
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
  hasInitials: boolean;
  hasDoi: boolean;
  print(fields: PrintedFields): string;
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
const familyFirst: Writer = (name) => {
  const { family, given } = partsOf(name);
  return given.length === 0 ? family : `${family}, ${given.join(' ')}`;
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
  write: (name: string, at: number) => string,
  { two, last, etAl }: Joining,
): string {
  const names = authors.map(write);
  if (hasMore) return `${names.join(', ')}${etAl}`;
  if (names.length <= 2) return names.join(two);
  return `${names.slice(0, -1).join(', ')}${last}${names.at(-1)}`;
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

function numbersOf({ seed }: PrintedFields): { volume: number; issue: number; pages: string } {
  const first = 1 + ((seed * 977) % 2400);
  return { volume: 1 + (seed % 60), issue: 1 + (seed % 12), pages: `${first}–${first + 11}` };
}

const inVenue = ({ isArticle, venue }: PrintedFields): string =>
  isArticle ? venue : `In ${venue}`;
const address = ({ doi }: PrintedFields): string => (doi === '' ? '' : ` https://doi.org/${doi}`);

export const styles: Readonly<Record<string, Style>> = {
  apa: {
    shown: atMost(20, 19),
    hasInitials: true,
    hasDoi: true,
    print: (fields) => {
      const names = joined(fields, familyThenInitials, {
        two: ', & ',
        last: ', & ',
        etAl: ', et al.',
      });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year } = fields;
      const title = ended(sentenceCase(fields.title), '.');
      const where = isArticle
        ? ` ${venue}, ${volume}(${issue}), ${pages}.`
        : ` In ${venue} (pp. ${pages}).`;
      return `${names} (${year}). ${title}${venue === '' ? '' : where}${address(fields)}`;
    },
  },
  mla: {
    shown: atMost(2, 1),
    hasInitials: false,
    hasDoi: true,
    print: (fields) => {
      const names = joined(fields, (name, at) => (at === 0 ? familyFirst(name) : name), {
        two: ', and ',
        last: ', and ',
        etAl: ', et al',
      });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year } = fields;
      const where = [
        venue,
        ...(isArticle ? [`vol. ${volume}`, `no. ${issue}`] : []),
        year,
        ...(venue === '' ? [] : [`pp. ${pages}`]),
      ];
      const place = where.filter((part) => part !== '').join(', ');
      const doi = fields.doi === '' ? '' : `,${address(fields)}`;
      return `${ended(names, '.')} “${ended(fields.title, '.')}” ${place}${doi}.`;
    },
  },
  chicago: {
    shown: atMost(10, 7),
    hasInitials: false,
    hasDoi: true,
    print: (fields) => {
      const names = joined(fields, (name, at) => (at === 0 ? familyFirst(name) : name), {
        two: ', and ',
        last: ', and ',
        etAl: ', et al',
      });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year } = fields;
      const where = isArticle
        ? `${venue} ${volume}, no. ${issue} (${year}): ${pages}.`
        : `In ${venue}, ${pages}. ${year}.`;
      const title = `"${ended(fields.title, '.')}"`;
      return `${ended(names, '.')} ${title} ${venue === '' ? `${year}.` : where}${address(fields)}`;
    },
  },
  vancouver: {
    shown: atMost(6, 6),
    hasInitials: true,
    hasDoi: true,
    print: (fields) => {
      const names = joined(fields, familyThenLetters, { two: ', ', last: ', ', etAl: ', et al' });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year, title, doi } = fields;
      const where = isArticle
        ? ` ${ended(venue, '.')} ${year};${volume}(${issue}):${pages.replace('–', '-')}.`
        : ` In: ${venue}; ${year}. p. ${pages.replace('–', '-')}.`;
      const ending = doi === '' ? '' : ` doi: ${doi}`;
      return `${names}. ${ended(sentenceCase(title), '.')}${venue === '' ? ` ${year}.` : where}${ending}`;
    },
  },
  ieee: {
    shown: atMost(6, 1),
    hasInitials: true,
    hasDoi: true,
    print: (fields) => {
      const names = joined(fields, initialsThenFamily, {
        two: ' and ',
        last: ', and ',
        etAl: ' et al.',
      });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year, doi } = fields;
      const where = isArticle
        ? `${venue}, vol. ${volume}, no. ${issue}, pp. ${pages}, ${year}`
        : `in ${venue}, ${year}, pp. ${pages}`;
      const ending = doi === '' ? '' : `, doi: ${doi}`;
      return `[${1 + (fields.seed % 90)}] ${names}, “${ended(sentenceCase(fields.title), ',')}” ${venue === '' ? year : where}${ending}.`;
    },
  },
  acm: {
    shown: all,
    hasInitials: false,
    hasDoi: true,
    print: (fields) => {
      const names = joined(fields, (name) => name, {
        two: ' and ',
        last: ', and ',
        etAl: ', et al.',
      });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year } = fields;
      const where = isArticle
        ? ` ${venue} ${volume}, ${issue} (${year}), ${pages}.`
        : ` In ${venue}. ${pages}.`;
      return `${ended(names, '.')} ${year}. ${ended(fields.title, '.')}${venue === '' ? '' : where}${address(fields)}`;
    },
  },
  acl: {
    shown: all,
    hasInitials: false,
    hasDoi: false,
    print: (fields) => {
      const names = joined(fields, (name) => name, {
        two: ' and ',
        last: ', and ',
        etAl: ', et al.',
      });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year } = fields;
      const where = isArticle
        ? ` ${venue}, ${volume}(${issue}):${pages}.`
        : ` In ${venue}, pages ${pages}.`;
      return `${ended(names, '.')} ${year}. ${ended(sentenceCase(fields.title), '.')}${venue === '' ? '' : where}`;
    },
  },
  nature: {
    shown: atMost(5, 1),
    hasInitials: true,
    hasDoi: false,
    print: (fields) => {
      const names = joined(fields, familyThenInitials, {
        two: ' & ',
        last: ' & ',
        etAl: ' et al.',
      });
      const { volume, pages } = numbersOf(fields);
      const { venue, isArticle, year } = fields;
      const where = isArticle
        ? `${venue} ${volume}, ${pages} (${year}).`
        : `${inVenue(fields)} ${pages} (${year}).`;
      return `${1 + (fields.seed % 90)}. ${names} ${ended(sentenceCase(fields.title), '.')} ${venue === '' ? `(${year}).` : where}`;
    },
  },
  harvard: {
    shown: atMost(3, 1),
    hasInitials: true,
    hasDoi: true,
    print: (fields) => {
      const names = joined(fields, familyThenInitials, {
        two: ' and ',
        last: ' and ',
        etAl: ' et al.',
      });
      const { volume, issue, pages } = numbersOf(fields);
      const { venue, isArticle, year } = fields;
      const where = isArticle
        ? ` ${venue}, ${volume}(${issue}), pp. ${pages}.`
        : ` in ${venue}, pp. ${pages}.`;
      const ending = fields.doi === '' ? '' : ` Available at:${address(fields)}.`;
      return `${names} (${year}) ‘${fields.title}’${venue === '' ? '.' : `,${where}`}${ending}`;
    },
  },
};
