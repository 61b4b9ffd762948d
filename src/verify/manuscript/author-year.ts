/** Finds the references that citations such as "(Berg & Dahl, 2020; Falk, 2019a)" mean. Pure. */
import { wordsOf } from '../../text/words.ts';

/** The part of a reference that names its first authors. */
const AUTHORS_CHARACTERS_MAX = 200;
/** Words and years of an entry by which it is found. */
const WORDS_MAX = 40;
const YEARS_MAX = 3;
/** References that a citation may mean. */
const MEANT_MAX = 10;
const YEAR = /(?<!\d)((?:1[6-9]|20)\d\d)([a-z]?)(?![\p{L}\d])/gu;
const NAME = String.raw`\p{Lu}[\p{L}\p{M}'’-]+`;
const FIRST_NAME = new RegExp(NAME, 'u');
/** At the end of what stands before a year in brackets: "Berg", "Berg et al.", "Berg and Dahl's". */
const NAME_BEFORE = new RegExp(
  String.raw`(${NAME})(?:\s+et\s+al\.?|\s+(?:and|&|und|et)\s+${NAME})?(?:['’]s)?,?\s*$`,
  'u',
);
/** Characters before a bracket that are read for a name. */
export const BEFORE_MAX = 100;

export interface AuthorYearIndex {
  /** The keys that the text between two brackets cites; none if it is no citation. */
  keysIn(inner: string, before: string): string[];
}

/** Indexes the references by the words of their authors and their years. */
export function indexByAuthorAndYear(
  entries: readonly { key: string; text: string }[],
): AuthorYearIndex {
  const keys = new Map<string, string[]>();
  for (const { key, text } of entries) {
    const authors = wordsOf(text.slice(0, AUTHORS_CHARACTERS_MAX)).slice(0, WORDS_MAX);
    const years = yearsOf(text).slice(0, YEARS_MAX);
    for (const author of new Set(authors)) {
      for (const year of years) {
        // "(Berg, 2020)" may mean either of 2020a and 2020b.
        for (const form of new Set([year, year.slice(0, 4)])) {
          const name = `${author} ${form}`;
          const named = keys.get(name) ?? [];
          if (named.length < MEANT_MAX) keys.set(name, [...named, key]);
        }
      }
    }
  }
  const find = (name: string, years: readonly string[]): string[] => {
    // "van der Berg" and "Smith-Jones".
    const word = wordsOf(name).at(-1) ?? '';
    return [...new Set(years.flatMap((year) => keys.get(`${word} ${year}`) ?? []))];
  };
  return {
    keysIn(inner, before) {
      if (/^\s*(?:1[6-9]|20)\d\d/.test(inner)) {
        const [, name = ''] = NAME_BEFORE.exec(before) ?? [];
        return find(name, yearsOf(inner));
      }
      return inner.split(';').flatMap((part) => {
        const [name = ''] = FIRST_NAME.exec(part) ?? [];
        return find(name, yearsOf(part));
      });
    },
  };
}

/** The years of a text with their letters. */
function yearsOf(text: string): string[] {
  return [...text.matchAll(YEAR)].map(([, year = '', letter = '']) => year + letter);
}
