/** Describes the words of a text by what a change of them means: numbers, units, and negations. Pure. */
import { memoize } from '../../text/memoize.ts';
import { isUnitSymbol, isUnitWord, numberOf } from './quantities.ts';
import type { Token } from './quote-tokens.ts';

export interface DescribedWord extends Token {
  lower: string;
  /** The result of `numberOf`. */
  number: string | undefined;
  isUnit: boolean;
  /** Whether it negates what follows. */
  isNegation: boolean;
}

const NEGATIONS = new Set(
  'not no never none nor neither without cannot nobody nothing nowhere hardly scarcely barely non unable lack lacks lacked lacking'.split(
    ' ',
  ),
);
const CONTRACTED = /n't$/;
/** These negate together with the word after them. */
const BEFORE: ReadonlyMap<string, RegExp> = new Map([
  ['to', /^fail(?:s|ed|ing|ure|ures)?$/],
  ['of', /^(?:absence|instead)$/],
  ['than', /^rather$/],
]);

/** What a word in lower case says wherever it stands. */
const meaningOf = memoize((lower) => ({
  number: numberOf(lower),
  isUnit: isUnitWord(lower),
  isNegation: NEGATIONS.has(lower) || CONTRACTED.test(lower),
}));

/** The words with what they say. */
export function describeWords(words: readonly Token[]): DescribedWord[] {
  const described: DescribedWord[] = [];
  let before: DescribedWord | undefined;
  let last: DescribedWord | undefined;
  let next = words[0]?.text.toLowerCase() ?? '';
  for (const [at, { text, isWord, start, end }] of words.entries()) {
    const lower = next;
    next = words[at + 1]?.text.toLowerCase() ?? '';
    const isAfterNumber =
      last?.number !== undefined || last?.isUnit || (last?.text === '/' && before?.isUnit);
    const { number, isUnit, isNegation } = meaningOf(lower);
    const word: DescribedWord = {
      text,
      isWord,
      start,
      end,
      lower,
      number,
      isUnit: isUnit || (isAfterNumber === true && isUnitSymbol(text)),
      isNegation: isNegation || BEFORE.get(next)?.test(lower) === true,
    };
    described.push(word);
    [before, last] = [last, word];
  }
  return described;
}
