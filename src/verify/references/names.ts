/** Compares names of people as references and records write them. Pure. */
import { plainName } from '../../search/papers/person-name.ts';
import { memoize } from '../../text/memoize.ts';

/** Letters that NFKD does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const GENERATION = /^(?:jr|sr|ii|iii|iv)$/;

/** What is longer is no name; only its beginning is compared. */
const COMPARED_CHARACTERS_MAX = 300;
/** Of lists with more pairs than this, names are compared by family name and initial. */
const PAIRS_MAX = 40_000;
/** A name in parts, in lower case and without diacritics. */
interface Name {
  family: string;
  /** Given names, initials, and particles. */
  others: string[];
}

/** What is compared of a name. */
interface PreparedName {
  /** Its parts in alphabetical order. */
  sorted: string;
  /** "Mueller" for "Müller" too. */
  umlauts: string;
  readings: Name[];
}

/**
 * Whether two names can be one person's: the same family name, and given names of which one list
 * agrees with the other. An initial agrees with a name.
 */
export function isSameName(one: string, other: string): boolean {
  return areSame(prepare(one), prepare(other));
}

/** The share of the longer list's people who are in both lists. */
export function sharedAuthors(ones: readonly string[], others: readonly string[]): number {
  const longer = Math.max(ones.length, others.length);
  return longer === 0 ? 0 : countShared(ones, others) / longer;
}

/** The number of people in the first list who are in the second one. */
function countShared(ones: readonly string[], others: readonly string[]): number {
  return ones.length - withoutShared(ones, others).length;
}

/** The people in the first list who are not in the second one. */
export function withoutShared(ones: readonly string[], others: readonly string[]): string[] {
  const known = others.map(prepare);
  if (ones.length * others.length <= PAIRS_MAX) {
    return ones.filter((one) => {
      const name = prepare(one);
      return !known.some((other) => areSame(name, other));
    });
  }
  const keys = new Set(known.flatMap(keysOf));
  return ones.filter((one) => !keysOf(prepare(one)).some((key) => keys.has(key)));
}

/** A reference is compared with several works, and each reading of it has almost the same names. */
const prepareShort = memoize((name): PreparedName => {
  const parts = partsOf(name);
  return {
    sorted: sortedLetters(parts),
    umlauts: umlauts(parts).join(''),
    readings: readingsOf(parts, name),
  };
});

function prepare(whole: string): PreparedName {
  return prepareShort(whole.slice(0, COMPARED_CHARACTERS_MAX));
}

function areSame(a: PreparedName, b: PreparedName): boolean {
  if (a.sorted === b.sorted) return true;
  return a.readings.some((x) => b.readings.some((y) => agree(x, y))) || a.umlauts === b.umlauts;
}

function keysOf({ sorted, umlauts: whole, readings }: PreparedName): string[] {
  const byInitial = readings.flatMap(({ family, others }) =>
    others.map((given) => `${family}, ${given.charAt(0)}`),
  );
  return [sorted, whole, ...byInitial];
}

function partsOf(name: string): string[] {
  return plainName(name)
    .split(/[\s.‐‑–-]+/u)
    .map(fold)
    .filter((part) => part !== '' && !GENERATION.test(part));
}

/** "Jonathan Ho" and "Ho J" name the same person, so the family name may come first or last. */
function readingsOf(parts: readonly string[], name: string): Name[] {
  if (parts.length < 2) return [{ family: parts[0] ?? '', others: [] }];
  const last = { family: parts.at(-1) as string, others: parts.slice(0, -1) };
  const isCapitals = /^\p{L}[\p{L}'’-]+\s+\p{Lu}{1,3}\.?$/u.test(name.trim());
  const initials = isCapitals ? [...(parts.at(-1) as string)] : parts.slice(1);
  const first = { family: parts[0] as string, others: initials };
  return isCapitals || parts.slice(1).every((part) => part.length === 1) ? [first, last] : [last];
}

function agree(a: Name, b: Name): boolean {
  if (a.family !== b.family || a.family.length < 2) return false;
  return covers(a.others, b.others) || covers(b.others, a.others) || isRun(a.others, b.others);
}

/** Whether each of the parts agrees with another one of the others. */
function covers(parts: readonly string[], others: readonly string[]): boolean {
  const left = [...others];
  return parts.every((part) => {
    const at = left.indexOf(part);
    const found = at === -1 ? left.findIndex((other) => isInitial(part, other)) : at;
    if (found === -1) return false;
    left.splice(found, 1);
    return true;
  });
}

function isInitial(part: string, other: string): boolean {
  return (part.length === 1 || other.length === 1) && part.charAt(0) === other.charAt(0);
}

/** "Tat-Jen" and "Tatjen". */
function isRun(parts: readonly string[], others: readonly string[]): boolean {
  return parts.join('') === others.join('');
}

function sortedLetters(parts: readonly string[]): string {
  return [...parts].sort().join(' ');
}

/** "Mueller" for "Müller" too: without the e after a vowel that may have had an umlaut. */
function umlauts(parts: readonly string[]): string[] {
  return parts.map((part) => part.replace(/([aou])e/g, '$1'));
}

function fold(part: string): string {
  return part
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}
