/** Puts the parts of authors' names in order. Pure. */
import { familyName, lettersOf } from '../../identity/record-keys.ts';

/** A family name and initials with periods, as Scopus and Embase write it: "van Berg A.-M.". */
const INITIALS_LAST = /^(\p{L}[^.]*) ((?:\p{Lu}\.[\s-]?)+)$/u;

/** The same without periods, as PubMed writes it: "van Berg AM", "Berg AM Jr". */
const PUBMED_NAME = /^(\p{L}[^.,]*) (\p{Lu}{1,4})( (?:Jr|Sr|2nd|3rd|\dth))?$/u;

/** Returns "A.-M. van Berg" for "van Berg A.-M.", and other names unchanged. */
export function initialsFirst(name: string): string {
  return name.replace(INITIALS_LAST, '$2 $1');
}

/**
 * Returns the names in a list as PubMed's table has it: "Berg AM, Dahl B; Tide Group." becomes "AM
 * Berg", "B Dahl", and "Tide Group". Returns undefined for other lists.
 */
export function pubmedNames(list: string): string[] | undefined {
  if (!list.endsWith('.')) return undefined;
  const [people = '', ...groups] = list.slice(0, -1).split('; ');
  const names = people.split(', ');
  // "Berg A." alone may be a name of Scopus.
  const isOne = names.length + groups.length === 1;
  const isList = !isOne || /\p{Lu}{2}$/u.test(people);
  if (!isList || !names.every((name) => PUBMED_NAME.test(name))) return undefined;
  return [...names, ...groups].map((name) => name.replace(PUBMED_NAME, '$2 $1$3'));
}

/** Returns "Anna Berg Jr" for "Berg, Anna, Jr". Names of groups have no comma, or one at their end. */
export function givenFirst(name: string): string {
  const [last = '', given = '', suffix = ''] = name.split(',').map((part) => part.trim());
  return [given, last, suffix].filter((part) => part !== '').join(' ');
}

/** Where a small letter, or the suffix or nickname of a name, meets the capital of the next. */
const BETWEEN_JOINED = /(?<=\p{Ll}\.?|\))(?<!\bMa?c)(?=\p{Lu})/u;

/**
 * Returns the names in a list of full names without anything between them, as Springer's table has
 * it: "Anna BergBo McDahl" becomes "Anna Berg" and "Bo McDahl".
 */
export function joinedNames(list: string): string[] {
  const names: string[] = [];
  for (const part of list.split(BETWEEN_JOINED)) {
    // A part of one word is the end of a name such as "DeVito", or the start of "JoAnn Berg".
    const isWhole = part.includes(' ') && names.at(-1)?.includes(' ') !== false;
    if (isWhole) names.push(part);
    else names.push(`${names.pop() ?? ''}${part}`);
  }
  return names;
}

/**
 * Returns the names of both lists, `first` whole. Of `second`, names are left out that came before,
 * also if only the family name and the first letter are the same.
 */
export function joinNames(first: readonly string[], second: readonly string[]): string[] {
  if (second.length === 0) return [...first];
  const known = new Set(first.map(likenessOf));
  return [...first, ...new Set(second.filter((name) => !known.has(likenessOf(name))))];
}

function likenessOf(name: string): string {
  return `${lettersOf(name).charAt(0)} ${lettersOf(familyName(name))}`;
}
