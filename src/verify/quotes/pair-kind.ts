/** The kind of change that replaces one word by another. Pure. */
import type { DescribedWord } from './described-word.ts';
import { areOpposite } from './opposites.ts';
import { isExact, isSameUnit, isUnitSymbol } from './quantities.ts';

export type PairKind =
  | 'spelling'
  | 'punctuation'
  | 'number'
  | 'unit'
  | 'negation'
  | 'direction'
  | 'word';

const RELATION = /^[<>=≤≥≪≫≈≠+±↑↓→←-]$/;
const ROMAN = /^[IVX]+$/;
const DIGITS = /\d+(?:[.,]\d+)*/g;
/** Endings of the forms of one word. */
const ENDINGS = [/^(?:e|s|es|d|ed|ing|ly|'s|r|er|st|est)?$/, /^(?:y|ies|ied|ying|ily|ier|iest)$/];
const LETTERS_OF_FORM_MIN = 3;
/** "witout" is a misspelling, "now" for "not" is none. */
const LETTERS_OF_NEGATION_MIN = 5;

/** The kind of a pair of words or marks that differ; undefined if one is a word and the other none. */
export function kindOfPair(quoted: DescribedWord, source: DescribedWord): PairKind | undefined {
  if (quoted.isUnit && source.isUnit) return isOneUnit(quoted, source) ? 'spelling' : 'unit';
  if (quoted.isWord !== source.isWord) return undefined;
  if (!quoted.isWord) {
    return RELATION.test(quoted.text) && RELATION.test(source.text) ? 'direction' : 'punctuation';
  }
  if (quoted.lower === source.lower) return 'spelling';
  const inNumbers = kindOfNumbers(quoted, source);
  if (inNumbers !== undefined) return inNumbers;
  if (quoted.isNegation && source.isNegation) return 'word';
  if (isNon(quoted, source) || isNon(source, quoted)) return 'negation';
  if (areOpposite(quoted.lower, source.lower)) return 'direction';
  const isMisspelling = isMisspelled(quoted.lower, source.lower);
  const isShort = Math.min(quoted.lower.length, source.lower.length) < LETTERS_OF_NEGATION_MIN;
  if (quoted.isNegation !== source.isNegation && (isShort || !isMisspelling)) return 'negation';
  return isMisspelling ? 'spelling' : 'word';
}

function isOneUnit(quoted: DescribedWord, source: DescribedWord): boolean {
  if (isSameUnit(quoted.text, source.text) || isSameUnit(quoted.lower, source.lower)) return true;
  // "mm" is not "mM", but "Days" is "days" and "day".
  const [one, other] = [quoted, source].map(({ text, lower }) =>
    isUnitSymbol(text) ? text : lower.replace(/s$/, ''),
  );
  return one === other;
}

function kindOfNumbers(quoted: DescribedWord, source: DescribedWord): PairKind | undefined {
  const [own, other] = [quoted.number, source.number];
  if (own !== undefined && other !== undefined) {
    return own === other ? 'spelling' : 'number';
  }
  if (ROMAN.test(quoted.text) && ROMAN.test(source.text)) return 'number';
  if (isExact(own ?? other)) return 'number';
  return kindOfMixed(quoted.text, source.text);
}

/** The kind of change between words with digits and letters, such as "CD4" and "CD8" or "5mg" and "5g". */
function kindOfMixed(quoted: string, source: string): PairKind | undefined {
  if (!/\d/.test(quoted + source)) return undefined;
  const [letters, otherLetters] = [quoted, source].map((word) => word.replace(DIGITS, ' ').trim());
  if (letters === otherLetters) return 'number';
  const [digits, otherDigits] = [quoted, source].map((word) => word.match(DIGITS)?.join(' '));
  const areUnits = isUnitSymbol(letters ?? '') && isUnitSymbol(otherLetters ?? '');
  return areUnits && digits === otherDigits ? 'unit' : undefined;
}

function isNon(one: DescribedWord, other: DescribedWord): boolean {
  return one.lower === `non${other.lower}`;
}

/** Whether the words are nearly the same letters, but not two forms of one word. */
function isMisspelled(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const isForm = ENDINGS.some(
    (endings) => endings.test(one.slice(same)) && endings.test(other.slice(same)),
  );
  if (isForm && same >= LETTERS_OF_FORM_MIN) return false;
  const [plain, otherPlain] = [withoutMarks(one), withoutMarks(other)];
  const length = Math.min(plain.length, otherPlain.length);
  const most = length < 5 ? 0 : length < 8 ? 1 : 2;
  return isWithin(plain, otherPlain, most) || isTransposed(plain, otherPlain);
}

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

function isTransposed(one: string, other: string): boolean {
  if (one.length !== other.length || one.length < 3) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2);
  return swapped === other;
}

/** Whether at most `most` letters, 0 to 2, are inserted, deleted, or replaced. */
function isWithin(one: string, other: string, most: number): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  if (at === one.length && at === other.length) return true;
  if (most === 0 || Math.abs(one.length - other.length) > most) return false;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  return (
    isWithin(rest.slice(1), otherRest.slice(1), most - 1) ||
    isWithin(rest.slice(1), otherRest, most - 1) ||
    isWithin(rest, otherRest.slice(1), most - 1) ||
    // Two letters in each other's place are one mistake.
    (rest[0] === otherRest[1] &&
      rest[1] === otherRest[0] &&
      isWithin(rest.slice(2), otherRest.slice(2), most - 1))
  );
}
