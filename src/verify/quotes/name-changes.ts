/** Names what changed between a quote and its source. Pure. */
import type { DescribedWord } from './described-word.ts';
import { kindOfPair } from './pair-kind.ts';
import { isExact } from './quantities.ts';
import { ELLIPSIS_TOKEN } from './quote-tokens.ts';
import { isEqual, regionsOf, textOf, type WordStep } from './word-diff.ts';

export const changeKinds = [
  ...(['spelling', 'punctuation', 'number', 'unit', 'negation', 'direction', 'omission'] as const),
  ...(['marked_omission', 'addition', 'join', 'word'] as const),
];

export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  kind: ChangeKind;
  /** The quote's words; '' if it has none there. */
  quoted: string;
  /** The source's words; '' if it has none there. */
  wording: string;
}

/** The texts that steps go through. */
export interface Compared {
  quote: string;
  source: string;
  /** Where sentences of the source end. */
  sentenceEnds: readonly number[];
  /** Words of the quote that stand in another place of the source. */
  elsewhere?: ReadonlySet<DescribedWord> | undefined;
}

interface Named {
  kind: ChangeKind;
  steps: WordStep[];
}

/** An omission of more words does not negate what is left, unless it ends or begins so. */
const NEGATING_WORDS_MAX = 3;
const AUXILIARY =
  /^(?:is|are|was|were|be|been|being|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)$/;
const TERMINATOR = /^[.?!]$/;
const LETTERS = /^\p{L}+$/u;

/** The changes in the order of the quote. */
export function changesOf(steps: readonly WordStep[], compared: Compared): Change[] {
  const regions = regionsOf(steps);
  return regions.flatMap((region, at) => {
    if (isEqual(region[0])) return [];
    const before = regions[at - 1]?.at(-1)?.source;
    return nameRegion(region, before, compared).map(({ kind, steps: named }) => ({
      kind,
      quoted: textOf(
        named.map((step) => step.quoted),
        compared.quote,
      ),
      wording: textOf(
        named.map((step) => step.source),
        compared.source,
      ),
    }));
  });
}

function nameRegion(
  region: WordStep[],
  before: DescribedWord | undefined,
  { sentenceEnds, elsewhere }: Compared,
): Named[] {
  const quoted = region.flatMap((step) => step.quoted ?? []);
  const source = region.flatMap((step) => step.source ?? []);
  if (quoted.some((word) => elsewhere?.has(word))) return [{ kind: 'join', steps: region }];
  if (isRespelled(quoted, source)) return [{ kind: 'spelling', steps: region }];
  const isMarked =
    quoted.some(({ text }) => text === ELLIPSIS_TOKEN) && source.some(({ isWord }) => isWord);
  const isTerminated = quoted.some(({ text }) => TERMINATOR.test(text));
  const start = source[0]?.start ?? 0;
  const end = source.at(-1)?.end ?? 0;
  const isJoined =
    !isMarked && !isTerminated && sentenceEnds.some((each) => each > start && each <= end);
  const named = nameSteps(region, { before, isMarked });
  const omission = isMarked ? 'marked_omission' : isJoined ? 'join' : undefined;
  return omission === undefined ? merge(named) : merge(named.map((one) => renamed(one, omission)));
}

/** The same letters with other blanks and hyphens between them: "nonlinear" and "non-linear". */
function isRespelled(quoted: readonly DescribedWord[], source: readonly DescribedWord[]): boolean {
  const [own, other] = [quoted, source].map((words) =>
    words.flatMap(({ isWord, lower }) => (isWord ? lower : [])).join(''),
  ) as [string, string];
  return own === other && LETTERS.test(own);
}

/** What stands before words that only one text has, and whether an ellipsis says so. */
interface Context {
  before: DescribedWord | undefined;
  isMarked: boolean;
}

function nameSteps(region: readonly WordStep[], context: Context): Named[] {
  const named: Named[] = [];
  for (let at = 0; at < region.length; ) {
    const step = region[at] as WordStep;
    if (step.quoted !== undefined && step.source !== undefined) {
      named.push({ kind: kindOfPair(step.quoted, step.source) ?? 'word', steps: [step] });
      at++;
      continue;
    }
    const side = step.quoted === undefined ? 'source' : 'quoted';
    let end = at + 1;
    while (region[end] !== undefined && isOnly(region[end] as WordStep, side)) end++;
    const before = region[at - 1]?.source ?? context.before;
    named.push(...nameSingles(region.slice(at, end), side, { ...context, before }));
    at = end;
  }
  return named;
}

function isOnly({ quoted, source }: WordStep, side: 'quoted' | 'source'): boolean {
  return side === 'quoted' ? source === undefined : quoted === undefined;
}

/** Words that only one text has. */
function nameSingles(
  steps: WordStep[],
  side: 'quoted' | 'source',
  { before, isMarked }: Context,
): Named[] {
  const singles = steps.map((step) => step[side] as DescribedWord);
  const words = singles.filter(({ isWord }) => isWord);
  const kind = side === 'quoted' ? 'addition' : 'omission';
  const whole = (named: ChangeKind): Named[] => [{ kind: named, steps }];
  if (before?.number !== undefined && singles.every(({ isUnit }) => isUnit)) return whole('unit');
  if (words.length === 0) return whole('punctuation');
  if (words.every(({ number }) => isExact(number))) return whole('number');
  const negations = steps.filter((step) => step[side]?.isNegation);
  if (negations.length === 0) return whole(kind);
  const isFew = words.length <= (isMarked ? negations.length : NEGATING_WORDS_MAX);
  if (isFew) return whole('negation');
  const isNegating =
    side === 'quoted' ||
    words.at(-1)?.isNegation === true ||
    (words[0]?.isNegation === true && AUXILIARY.test(before?.lower ?? ''));
  if (!isNegating) return whole(kind);
  return steps.map((step) => ({
    kind: negations.includes(step) ? 'negation' : kind,
    steps: [step],
  }));
}

const LOOSE: readonly ChangeKind[] = ['punctuation', 'omission', 'addition', 'word'];

function renamed({ kind, steps }: Named, omission: ChangeKind): Named {
  const isOmitted = kind !== 'negation' && steps.every(({ quoted }) => quoted === undefined);
  const isPart = isOmitted || LOOSE.includes(kind) || (omission === 'join' && kind === 'spelling');
  return { kind: isPart ? omission : kind, steps };
}

/** Joins neighbors of one kind, and those that together are other words. */
function merge(named: readonly Named[]): Named[] {
  const merged: Named[] = [];
  for (const { kind, steps } of named) {
    const last = merged.at(-1);
    const both = last === undefined ? undefined : kindOfBoth(last.kind, kind);
    if (last === undefined || both === undefined) merged.push({ kind, steps: [...steps] });
    else {
      last.kind = both;
      last.steps.push(...steps);
    }
  }
  return merged;
}

function kindOfBoth(one: ChangeKind, other: ChangeKind): ChangeKind | undefined {
  if (one === other) return one;
  if (!LOOSE.includes(one) || !LOOSE.includes(other)) return undefined;
  if (one === 'punctuation') return other;
  return other === 'punctuation' ? one : 'word';
}
