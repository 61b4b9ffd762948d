/**
 * Makes quotes from the sentences of abstracts: as they are, or changed in one known way. The lists here are
 * not those of the program: what it does with words that it does not list is part of what is measured.
 */
import { oneOf, type Random } from '../measure/random.ts';
import { opposites } from './opposites.ts';

export interface Abstract {
  id: string;
  sentences: string[];
}

export interface Altered {
  quote: string;
  /** The kinds of changes that may be named: the first one must be. None of a faithful quote. */
  kinds: readonly string[];
  /** Whether the named paper does not have such a sentence at all. */
  isForeign?: boolean;
  /** Whether no paper is named. */
  isUnnamed?: boolean;
}

/** `words` are those of a sentence of `source`. Returns undefined if there is nothing to change in this way. */
type Alter = (
  words: string[],
  random: Random,
  source: Abstract,
  other: Abstract,
) => Altered | undefined;

const NEGATING =
  /^(?:not|no|never|none|neither|nor|without|cannot|nobody|hardly|lack|seldom|rarely)\b|n't$/i;
const listOf = (text: string): string[] => text.split(' ');
const pairsOf = (text: string) => listOf(text).map((pair) => pair.split('/') as [string, string]);
const AUXILIARIES = listOf('is are was were has have had can could may might will would should');
const UNITS = pairsOf(
  'mg/g mg/µg kg/g ng/µg ml/l µl/ml mm/cm nm/µm km/m µM/mM nM/µM kDa/Da days/weeks weeks/months ' +
    'months/years hours/days minutes/hours seconds/minutes years/months weeks/days hours/minutes ' +
    '°C/°F kb/Mb Hz/kHz mmHg/kPa percent/points',
).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
const COUNTED = listOf(
  'two three four five six seven eight nine ten eleven twelve twenty thirty fifty',
);
const ADDED = 'clearly/in general/as expected/notably/in this setting/to some extent/again'.split(
  '/',
);
const OTHER_WORDS = listOf(
  'purple methods window garden analysis theory bridge signal river model copper teacher market',
);
const ELLIPSES = ['…', '...', '[...]', '[…]', '. . .'];
/** What is written for a word that negates, when it is not left out. */
const AFFIRMED = new Map(pairsOf('cannot/can neither/both lack/presence nor/and without/with'));

/** Replaces the letters and digits of a word, and keeps the marks around them. */
function withWord(words: readonly string[], at: number, word: string): string {
  const own = words[at] as string;
  const [, before = '', after = ''] = /^([^\p{L}\p{N}]*).*?([^\p{L}\p{N}%]*)$/u.exec(own) ?? [];
  const isCapital = /^\P{L}*\p{Lu}\p{Ll}/u.test(own);
  const cased = isCapital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
  return words.with(at, before + cased + after).join(' ');
}

function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '');
}

/** One of the places of a sentence that pass; its first and last words are left as they are. */
function place(
  words: readonly string[],
  random: Random,
  passes: (word: string, at: number) => boolean,
): number | undefined {
  const places = words.flatMap((word, at) =>
    at > 0 && at < words.length - 1 && passes(bare(word), at) ? at : [],
  );
  return oneOf(places, random);
}

function swapNumber(word: string, random: Random): string | undefined {
  const digit = oneOf(word.match(/\d/g) ?? [], random);
  if (digit === undefined) return undefined;
  const ways = [
    word.replace(digit, oneOf([...'123456789'.replace(digit, '')], random)),
    word.replace(/^\d+/, (whole) => `${Number(whole) + 1}`),
    word.replace(/^(\d+)\.(\d)/, '$1$2.'),
    word.replace(/(\d)(\d)/, '$2$1'),
    word.replace(/\d+$/, '$&0'),
  ];
  const changed = oneOf(ways, random).replace(/\.$/, '');
  const [before, after] = [word, changed].map((one) => Number(one.replaceAll(',', '')));
  return before === after ? undefined : changed;
}

function number(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word) => /^\d[\d.,]*$/.test(word) || COUNTED.includes(word));
  if (at === undefined) return undefined;
  const own = bare(words[at] as string);
  const changed = /\d/.test(own) ? swapNumber(own, random) : oneOf(COUNTED, random);
  if (changed === undefined || changed === own) return undefined;
  return { quote: withWord(words, at, changed), kinds: ['number'] };
}

function unit(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word, index) => {
    const before = words[index - 1] ?? '';
    const isAfterNumber = /\d$/.test(before) || COUNTED.includes(before);
    return isAfterNumber && UNITS.some(([one]) => one === word);
  });
  if (at === undefined) return undefined;
  const found = UNITS.filter(([one]) => one === bare(words[at] as string));
  return { quote: withWord(words, at, oneOf(found, random)[1]), kinds: ['unit'] };
}

/** Says that it is not so: "is not", "isn't", "never", "no", "failed to", "lack of". */
function negate(words: string[], random: Random): Altered | undefined {
  if (words.some((word) => NEGATING.test(bare(word)))) return undefined;
  const added = (list: readonly string[], word: string, distance = 1): string | undefined => {
    const at = place(words, random, (each) => list.includes(each));
    return at === undefined ? undefined : words.toSpliced(at + distance, 0, word).join(' ');
  };
  const joined = (list: readonly string[], ending: string): string | undefined => {
    const at = place(words, random, (each) => list.includes(each));
    return at === undefined ? undefined : withWord(words, at, bare(words[at] as string) + ending);
  };
  const quote = oneOf(
    [
      () => added(AUXILIARIES, oneOf(['not', 'never', 'no longer'], random)),
      () => added(['to'], 'not', 0),
      () => added(['the'], 'lack of', 0),
      () => added(['a', 'an', 'the', 'significant', 'any'], 'no', 0),
      () => added(['to'], 'fail to'),
      () => joined(listOf('is are was were has have had could might would should'), "n't"),
      () => joined(['can'], 'not'),
    ],
    random,
  )();
  if (quote === undefined) return undefined;
  return { quote, kinds: ['negation', 'spelling', 'word', 'addition'] };
}

/** Leaves out what says that it is not so. */
function affirm(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word) =>
    /^(?:not|no|never|without|cannot|neither|lack|nor)$/.test(word),
  );
  if (at === undefined) return undefined;
  const kinds = ['negation', 'word', 'omission', 'direction'];
  const own = bare(words[at] as string);
  const other = AFFIRMED.get(own);
  if (other !== undefined) {
    // To write "with" for "without" is an opposite as well.
    const isOpposite = ['neither', 'lack', 'without'].includes(own);
    const all = isOpposite ? ['negation|direction', ...kinds] : kinds;
    return { quote: withWord(words, at, other), kinds: all };
  }
  const isDo =
    own === 'not' && /^(?:did|does|do)$/.test(words[at - 1] ?? '') && random.below(2) === 0;
  return { quote: words.toSpliced(isDo ? at - 1 : at, isDo ? 2 : 1).join(' '), kinds };
}

function turn(parity: number): Alter {
  const known = new Map<string, string[]>();
  for (const [at, [one, other]] of opposites.entries()) {
    if (at % 2 !== parity) continue;
    known.set(one, [...(known.get(one) ?? []), other]);
    known.set(other, [...(known.get(other) ?? []), one]);
  }
  return (words, random) => {
    const at = place(words, random, (word) => known.has(word.toLowerCase()));
    if (at === undefined) return undefined;
    const own = bare(words[at] as string).toLowerCase();
    const other = oneOf(known.get(own) as string[], random);
    const isNegating = [own, other].some(
      (word) => NEGATING.test(word) || /^non/.test(word) || word === 'absence',
    );
    const kinds = [isNegating ? 'direction|negation' : 'direction'];
    return { quote: withWord(words, at, other), kinds };
  };
}

function omit(words: string[], random: Random): Altered | undefined {
  const count = 1 + random.below(4);
  const at = 1 + random.below(Math.max(1, words.length - count - 1));
  const gone = words.slice(at, at + count);
  const isRepeated = gone[0] === words[at + count] || gone.at(-1) === words[at - 1];
  if (isRepeated || gone.some((word) => NEGATING.test(bare(word)))) return undefined;
  const isNumeric = gone.some((word) => /[\d%]/.test(word) || COUNTED.includes(bare(word)));
  const kinds = [isNumeric ? 'omission|number|unit' : 'omission', 'punctuation'];
  return { quote: words.toSpliced(at, count).join(' '), kinds };
}

function shorten(words: string[], random: Random): Altered | undefined {
  const count = Math.max(3, Math.floor(words.length / 3) - random.below(3));
  const at = 3 + random.below(Math.max(1, words.length - count - 6));
  if (at + count > words.length - 3) return undefined;
  const mark = oneOf(ELLIPSES, random);
  const isNegating = NEGATING.test(bare(words[at + count - 1] as string));
  const kinds = ['marked_omission', ...(isNegating ? ['negation'] : [])];
  return { quote: words.toSpliced(at, count, mark).join(' '), kinds };
}

function add(words: string[], random: Random): Altered | undefined {
  if (words.length < 20) return undefined;
  const at = 1 + random.below(words.length - 1);
  return { quote: words.toSpliced(at, 0, oneOf(ADDED, random)).join(' '), kinds: ['addition'] };
}

function misspell(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word) => /^[a-z]{6,}$/.test(word));
  if (at === undefined) return undefined;
  const word = bare(words[at] as string);
  const letter = 1 + random.below(word.length - 3);
  const ways = [
    word.slice(0, letter) + word.slice(letter + 1),
    word.slice(0, letter) + word.charAt(letter) + word.slice(letter),
    word.slice(0, letter) + word.charAt(letter + 1) + word.charAt(letter) + word.slice(letter + 2),
    `${word.slice(0, letter)}${oneOf([...'aeioust'], random)}${word.slice(letter + 1)}`,
  ];
  const changed = oneOf(ways, random);
  if (changed === word) return undefined;
  return { quote: withWord(words, at, changed), kinds: ['spelling'] };
}

function punctuate(words: string[], random: Random): Altered | undefined {
  const isReplaced = random.below(2) === 0;
  const found = isReplaced ? /[a-z][,;]$/ : /^[a-z]+$/;
  const at = place(words, random, (_, index) => found.test(words[index] ?? ''));
  if (at === undefined) return undefined;
  const own = words[at] as string;
  const changed = isReplaced ? own.slice(0, -1) + oneOf(['', ';', ':', ' –'], random) : `${own},`;
  if (changed === own) return undefined;
  return { quote: words.with(at, changed).join(' '), kinds: ['punctuation'] };
}

function join(words: string[], random: Random, { sentences }: Abstract): Altered | undefined {
  const own = sentences.indexOf(words.join(' '));
  const next = sentences[own + 1];
  const far = oneOf(
    sentences.filter((_, at) => Math.abs(at - own) > 1),
    random,
  )?.split(' ');
  const whole = words.join(' ');
  const half = words.slice(0, Math.ceil(words.length / 2)).join(' ');
  const quote = oneOf(
    [
      next && `${whole.replace(/[.?!]$/, '')}, and ${next.charAt(0).toLowerCase()}${next.slice(1)}`,
      next && `${whole.replace(/[.?!]$/, ',')} ${next}`,
      next && `${half} ${next.split(' ').slice(-8).join(' ')}`,
      far && `${whole} ${far.join(' ')}`,
      far && `${half} ${far.slice(Math.floor(far.length / 2)).join(' ')}`,
    ],
    random,
  );
  if (!quote || own < 0 || quote.split(' ').length < words.length + 4) return undefined;
  return { quote, kinds: ['join', 'spelling'] };
}

function exchange(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word) => /^[a-z]{5,}$/.test(word) && !COUNTED.includes(word));
  if (at === undefined) return undefined;
  return { quote: withWord(words, at, oneOf(OTHER_WORDS, random)), kinds: ['word'] };
}

/** A part of the sentence, with marks and letters that look the same. */
function retypeset(words: string[], random: Random): Altered {
  const from = random.below(Math.max(1, words.length - 8));
  const typeset = words
    .slice(from)
    .join(oneOf(['\n', '\u00a0'], random))
    .replaceAll('fi', 'ﬁ')
    .replaceAll('µ', 'μ')
    .replaceAll("'", '’')
    .replaceAll('-', '‑')
    .replace(/([a-z]{4})([a-z]{4})/g, '$1\u00ad$2')
    .replaceAll('%', oneOf(['％', '%'], random));
  return { quote: `“${typeset}”`, kinds: [] };
}

/** Every other word is from other sentences. */
function invent(words: string[], random: Random, { sentences }: Abstract): Altered {
  const mixed = words.map((word, at) => {
    return at % 2 === 0 ? oneOf(oneOf(sentences, random).split(' '), random) : word;
  });
  return { quote: mixed.join(' '), kinds: [], isForeign: true };
}

/** A sentence of both papers is nobody's mistake. */
function misattribute(words: string[], _: Random, __: Abstract, other: Abstract) {
  const quote = words.join(' ');
  return other.sentences.includes(quote) ? undefined : { quote, kinds: [], isForeign: true };
}

export const alterations: Readonly<Record<string, Alter>> = {
  number,
  unit,
  'negation added': negate,
  'negation removed': affirm,
  direction: turn(0),
  'direction, words held out': turn(1),
  omission: omit,
  'marked omission': shorten,
  addition: add,
  join,
  spelling: misspell,
  punctuation: punctuate,
  'another word': exchange,
  faithful: (words) => ({ quote: words.join(' '), kinds: [] }),
  'faithful, typeset anew': retypeset,
  'faithful, no paper named': (words) => ({ quote: words.join(' '), kinds: [], isUnnamed: true }),
  invented: invent,
  "another paper's": misattribute,
};
