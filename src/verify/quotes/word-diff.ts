/** The difference between a quote and the source's wording, word by word. Pure. */
import { type AlignmentCosts, alignItems, type Step } from './align-tokens.ts';
import { numberWords } from './align-words.ts';
import type { DescribedWord } from './described-word.ts';
import { kindOfPair } from './pair-kind.ts';

/** `=`: both have the text. `-`: only the quote has it. `+`: only the source has it. */
export type DiffPart = [kind: '=' | '-' | '+', text: string];

export type WordStep = Step<DescribedWord>;

/** Two words that differ are one less alike than a word that is only in one and one only in the other. */
function fewest(
  quoted: readonly DescribedWord[],
  source: readonly DescribedWord[],
): AlignmentCosts {
  const { quote, source: other } = numberWords(textsOf(quoted), textsOf(source));
  const [kinds, otherKinds] = [quoted.map(kindOf), source.map(kindOf)];
  return {
    single: 1000,
    replace(quotedAt, sourceAt) {
      if (quote[quotedAt] === other[sourceAt]) return 0;
      return kinds[quotedAt] === otherKinds[sourceAt] ? 1999 : 2000;
    },
  };
}

function textsOf(words: readonly DescribedWord[]): string[] {
  return words.map(({ text }) => text);
}

/** A number for marks, words, and numbers each. */
function kindOf({ isWord, number }: DescribedWord): number {
  return (isWord ? 1 : 0) + (number === undefined ? 0 : 2);
}

/** How little a pair of each kind belongs together; a pair above 20 never does. */
const PAIR_COSTS = {
  negation: 16,
  spelling: 4,
  direction: 5,
  number: 6,
  unit: 6,
  punctuation: 10,
  word: 14,
};
function likeliest(
  quoted: readonly DescribedWord[],
  source: readonly DescribedWord[],
): AlignmentCosts {
  return {
    single: 10,
    replace(quotedAt, sourceAt) {
      const [own, other] = [quoted[quotedAt], source[sourceAt]] as [DescribedWord, DescribedWord];
      if (own.isNegation && other.isNegation) return 2;
      const kind = kindOfPair(own, other);
      return kind === undefined ? 30 : PAIR_COSTS[kind];
    },
  };
}

/** Pairs of words of a quote of which the kind is looked at. */
const PAIRS_MAX = 2_000;

/**
 * The steps from the quote to the source. What both have is as much as can be. Between that, words stand
 * beside the words that they most likely replace.
 */
export function compareWords(
  quoted: readonly DescribedWord[],
  source: readonly DescribedWord[],
): WordStep[] {
  let pairs = PAIRS_MAX;
  return regionsOf(alignItems(quoted, source, fewest(quoted, source))).flatMap((region) => {
    if (isEqual(region[0])) return region;
    const own = region.flatMap((step) => step.quoted ?? []);
    const other = region.flatMap((step) => step.source ?? []);
    pairs -= own.length * other.length;
    return pairs < 0 || own.length === 0 || other.length === 0
      ? region
      : alignItems(own, other, likeliest(own, other));
  });
}

/** The steps divided into those that are equal and those that are not, in turns. */
export function regionsOf(steps: readonly WordStep[]): WordStep[][] {
  const regions: WordStep[][] = [];
  for (const step of steps) {
    const last = regions.at(-1);
    if (last !== undefined && isEqual(last[0]) === isEqual(step)) last.push(step);
    else regions.push([step]);
  }
  return regions;
}

/** Whether both texts have the same word in a step. */
export function isEqual(step: WordStep | undefined): boolean {
  return step?.quoted !== undefined && step.quoted.text === step.source?.text;
}

/** The parts of the quote and of the source that the steps go through, in order. */
export function diffOf(steps: readonly WordStep[], quote: string, source: string): DiffPart[] {
  return regionsOf(steps).flatMap((region): DiffPart[] => {
    const own = textOf(
      region.map((step) => step.quoted),
      quote,
    );
    const other = textOf(
      region.map((step) => step.source),
      source,
    );
    if (isEqual(region[0])) return [['=', other]];
    return (
      [
        ['-', own],
        ['+', other],
      ] as DiffPart[]
    ).filter(([, text]) => text !== '');
  });
}

/** The text from the first of some neighboring words to the last; '' without any. */
export function textOf(words: readonly (DescribedWord | undefined)[], text: string): string {
  const present = words.filter((word) => word !== undefined);
  return present.length === 0 ? '' : text.slice(present[0]?.start, present.at(-1)?.end);
}
