/**
 * Changes quotes in known ways, one kind each. The lists here are not those of the program: what it does
 * with words that it does not list is part of what is measured.
 */
import type { Random } from '../measure/random.ts';
import { opposites } from './opposites.ts';

export interface Altered {
  quote: string;
  /** The kinds of changes that may be named: the first one must be. */
  kinds: readonly string[];
}

/** Returns undefined if the sentence has nothing to change in this way. */
type Alter = (words: string[], random: Random, sentences: readonly string[]) => Altered | undefined;

const NEGATING =
  /^(?:not|no|never|none|neither|nor|without|cannot|nobody|hardly|lack|seldom|rarely)\b|n't$/i;
const AUXILIARIES = 'is are was were has have had can could may might will would should'.split(' ');
const UNITS = [
  ...[
    'mg/g',
    'mg/µg',
    'kg/g',
    'ng/µg',
    'ml/l',
    'µl/ml',
    'mm/cm',
    'nm/µm',
    'km/m',
    'µM/mM',
    'nM/µM',
    'kDa/Da',
  ],
  ...[
    'days/weeks',
    'weeks/months',
    'months/years',
    'hours/days',
    'minutes/hours',
    'seconds/minutes',
  ],
  ...[
    'years/months',
    'weeks/days',
    'hours/minutes',
    '°C/°F',
    'kb/Mb',
    'Hz/kHz',
    'mmHg/kPa',
    'percent/points',
  ],
];
const COUNTED =
  'two three four five six seven eight nine ten eleven twelve twenty thirty fifty'.split(' ');
const ADDED = [
  'clearly',
  'in general',
  'as expected',
  'notably',
  'in this setting',
  'to some extent',
  'again',
];
const OTHER_WORDS =
  'purple methods window garden analysis theory bridge signal river model copper teacher market'.split(
    ' ',
  );

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
  return places[random.below(places.length)];
}

function swapNumber(word: string, random: Random): string | undefined {
  const digits = [...word.matchAll(/\d/g)];
  const [digit] = digits[random.below(digits.length)] ?? [];
  if (digit === undefined) return undefined;
  const others = '123456789'.replace(digit, '');
  const ways = [
    (): string => word.replace(digit, others.charAt(random.below(others.length))),
    (): string => word.replace(/^\d+/, (whole) => `${Number(whole) + 1}`),
    (): string => word.replace(/^(\d+)\.(\d)/, '$1$2.'),
    (): string => word.replace(/(\d)(\d)/, '$2$1'),
    (): string => word.replace(/\d+$/, '$&0'),
  ];
  const changed = (ways[random.below(ways.length)] as () => string)().replace(/\.$/, '');
  return Number(changed.replaceAll(',', '')) === Number(word.replaceAll(',', ''))
    ? undefined
    : changed;
}

function number(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word) => /^\d[\d.,]*$/.test(word) || COUNTED.includes(word));
  if (at === undefined) return undefined;
  const own = bare(words[at] as string);
  const changed = /\d/.test(own) ? swapNumber(own, random) : COUNTED[random.below(COUNTED.length)];
  if (changed === undefined || changed === own) return undefined;
  return { quote: withWord(words, at, changed), kinds: ['number'] };
}

function unit(words: string[], random: Random): Altered | undefined {
  const pairs = UNITS.flatMap((pair) => {
    const [one, other] = pair.split('/') as [string, string];
    return [[one, other] as const, [other, one] as const];
  });
  const at = place(words, random, (word, index) => {
    const isAfterNumber =
      /\d$/.test(words[index - 1] ?? '') || COUNTED.includes(words[index - 1] ?? '');
    return isAfterNumber && pairs.some(([one]) => one === word);
  });
  if (at === undefined) return undefined;
  const found = pairs.filter(([one]) => one === bare(words[at] as string));
  const [, other] = found[random.below(found.length)] as readonly [string, string];
  return { quote: withWord(words, at, other), kinds: ['unit'] };
}

/** Says that it is not so: "is not", "isn't", "never", "no", "failed to", "lack of". */
function negate(words: string[], random: Random): Altered | undefined {
  if (words.some((word) => NEGATING.test(bare(word)))) return undefined;
  const ways: (() => string | undefined)[] = [
    () => after(AUXILIARIES, 'not'),
    () => after(AUXILIARIES, 'never'),
    () => after(AUXILIARIES, 'no longer'),
    () => after(['to'], 'not', true),
    () => after(['the'], 'lack of', true),
    () => after(['a', 'an', 'the', 'significant', 'any'], 'no', true),
    () => {
      const at = place(
        words,
        random,
        (word) => AUXILIARIES.includes(word) && !/^(?:may|will|can)$/.test(word),
      );
      return at === undefined ? undefined : withWord(words, at, `${bare(words[at] as string)}n't`);
    },
    () => {
      const at = place(words, random, (word) => word === 'can');
      return at === undefined ? undefined : withWord(words, at, 'cannot');
    },
    () => after(['to'], 'fail to'),
  ];
  const after = (list: readonly string[], word: string, isBefore = false): string | undefined => {
    const at = place(words, random, (each) => list.includes(each));
    return at === undefined
      ? undefined
      : words.toSpliced(isBefore ? at : at + 1, 0, word).join(' ');
  };
  const quote = (ways[random.below(ways.length)] as () => string | undefined)();
  return quote === undefined
    ? undefined
    : { quote, kinds: ['negation', 'spelling', 'word', 'addition'] };
}

/** Leaves out what says that it is not so. */
function affirm(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word) =>
    /^(?:not|no|never|without|cannot|neither|lack|nor)$/.test(word),
  );
  if (at === undefined) return undefined;
  const kinds = ['negation', 'word', 'omission', 'direction'];
  const own = bare(words[at] as string);
  const others: Readonly<Record<string, string>> = {
    cannot: 'can',
    neither: 'both',
    lack: 'presence',
    nor: 'and',
    without: 'with',
  };
  const other = others[own];
  if (other !== undefined) {
    // To write "with" for "without" is an opposite as well.
    const isOpposite = ['neither', 'lack', 'without'].includes(own);
    return {
      quote: withWord(words, at, other),
      kinds: isOpposite ? ['negation|direction', ...kinds] : kinds,
    };
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
    const others = known.get(own) as string[];
    const other = others[random.below(others.length)] as string;
    const isNegating = [own, other].some(
      (word) => NEGATING.test(word) || /^non/.test(word) || word === 'absence',
    );
    return {
      quote: withWord(words, at, other),
      kinds: isNegating ? ['direction|negation'] : ['direction'],
    };
  };
}

function omit(words: string[], random: Random): Altered | undefined {
  const count = 1 + random.below(4);
  const at = 1 + random.below(Math.max(1, words.length - count - 1));
  const gone = words.slice(at, at + count);
  const isRepeated = gone[0] === words[at + count] || gone.at(-1) === words[at - 1];
  if (isRepeated || gone.some((word) => NEGATING.test(bare(word)))) return undefined;
  const isNumeric = gone.some((word) => /[\d%]/.test(word) || COUNTED.includes(bare(word)));
  return {
    quote: words.toSpliced(at, count).join(' '),
    kinds: isNumeric ? ['omission|number|unit', 'punctuation'] : ['omission', 'punctuation'],
  };
}

function shorten(words: string[], random: Random): Altered | undefined {
  const count = Math.max(3, Math.floor(words.length / 3) - random.below(3));
  const at = 3 + random.below(Math.max(1, words.length - count - 6));
  if (at + count > words.length - 3) return undefined;
  const mark = ['…', '...', '[...]', '[…]', '. . .'][random.below(5)] as string;
  const isNegating = NEGATING.test(bare(words[at + count - 1] as string));
  const kinds = ['marked_omission', ...(isNegating ? ['negation'] : [])];
  return { quote: words.toSpliced(at, count, mark).join(' '), kinds };
}

function add(words: string[], random: Random): Altered | undefined {
  if (words.length < 20) return undefined;
  const at = 1 + random.below(words.length - 1);
  const added = ADDED[random.below(ADDED.length)] as string;
  return { quote: words.toSpliced(at, 0, added).join(' '), kinds: ['addition'] };
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
    `${word.slice(0, letter)}${'aeioust'.charAt(random.below(7))}${word.slice(letter + 1)}`,
  ];
  const changed = ways[random.below(ways.length)] as string;
  return changed === word
    ? undefined
    : { quote: withWord(words, at, changed), kinds: ['spelling'] };
}

function punctuate(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (_, index) => /[a-z][,;]$/.test(words[index] ?? ''));
  if (at !== undefined && random.below(2) === 0) {
    const mark = ['', ';', ':', ' –'][random.below(4)] as string;
    const changed = (words[at] as string).slice(0, -1) + mark;
    return changed === words[at]
      ? undefined
      : { quote: words.with(at, changed).join(' '), kinds: ['punctuation'] };
  }
  const plain = place(words, random, (_, index) => /^[a-z]+$/.test(words[index] ?? ''));
  if (plain === undefined) return undefined;
  return { quote: words.with(plain, `${words[plain]},`).join(' '), kinds: ['punctuation'] };
}

function join(words: string[], random: Random, sentences: readonly string[]): Altered | undefined {
  const own = sentences.indexOf(words.join(' '));
  const next = sentences[own + 1];
  const other = sentences[random.below(sentences.length)]?.split(' ');
  const uncapped = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
  const half = Math.ceil(words.length / 2);
  const ways: (() => string | undefined)[] = [
    () => next && `${words.join(' ').replace(/[.?!]$/, '')}, and ${uncapped(next)}`,
    () => next && `${words.join(' ').replace(/[.?!]$/, ',')} ${next}`,
    () => next && `${words.slice(0, half).join(' ')} ${next.split(' ').slice(-8).join(' ')}`,
    () =>
      other && Math.abs(sentences.indexOf(other.join(' ')) - own) > 1
        ? `${words.join(' ')} ${other.join(' ')}`
        : undefined,
    () =>
      other && Math.abs(sentences.indexOf(other.join(' ')) - own) > 1
        ? `${words.slice(0, half).join(' ')} ${other.slice(Math.floor(other.length / 2)).join(' ')}`
        : undefined,
  ];
  const quote = (ways[random.below(ways.length)] as () => string | undefined)();
  if (own < 0 || quote === undefined || quote.split(' ').length < words.length + 4)
    return undefined;
  return { quote, kinds: ['join', 'spelling'] };
}

function exchange(words: string[], random: Random): Altered | undefined {
  const at = place(words, random, (word) => /^[a-z]{5,}$/.test(word) && !COUNTED.includes(word));
  if (at === undefined) return undefined;
  const other = OTHER_WORDS[random.below(OTHER_WORDS.length)] as string;
  return { quote: withWord(words, at, other), kinds: ['word'] };
}

/** A part of the sentence, with marks and letters that look the same. */
function retypeset(words: string[], random: Random): Altered {
  const from = random.below(Math.max(1, words.length - 8));
  const text = words.slice(from).join(random.below(2) === 0 ? '\n' : '\u00a0');
  const typeset = text
    .replaceAll('fi', 'ﬁ')
    .replaceAll('µ', 'μ')
    .replaceAll("'", '’')
    .replaceAll('-', '‑')
    .replace(/([a-z]{4})([a-z]{4})/g, '$1\u00ad$2')
    .replaceAll('%', random.below(2) === 0 ? '％' : '%');
  return { quote: `“${typeset}”`, kinds: [] };
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
};
