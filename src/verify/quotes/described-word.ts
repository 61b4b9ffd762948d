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
const BEFORE: Readonly<Record<string, RegExp>> = {
  to: /^fail(?:s|ed|ing|ure|ures)?$/,
  of: /^(?:absence|instead)$/,
  than: /^rather$/,
};

/** What a word in lower case says wherever it stands. */
const meaningOf = memoize((lower) => ({
  number: numberOf(lower),
  isUnit: isUnitWord(lower),
  isNegation: NEGATIONS.has(lower) || CONTRACTED.test(lower),
}));

/** The words with what they say. */
export function describeWords(words: readonly Token[]): DescribedWord[] {
  const described: DescribedWord[] = [];
  for (const [at, word] of words.entries()) {
    const lower = word.text.toLowerCase();
    const [before, last] = [described.at(-2), described.at(-1)];
    const isAfterNumber =
      last?.number !== undefined || last?.isUnit || (last?.text === '/' && before?.isUnit);
    const phrase = BEFORE[words[at + 1]?.text.toLowerCase() ?? ''];
    const { number, isUnit, isNegation } = meaningOf(lower);
    described.push({
      ...word,
      lower,
      number,
      isUnit: isUnit || (isAfterNumber === true && isUnitSymbol(word.text)),
      isNegation: isNegation || phrase?.test(lower) === true,
    });
  }
  return described;
}
