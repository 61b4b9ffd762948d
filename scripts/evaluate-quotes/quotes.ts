/** Quotes made from the abstracts of an index, intact and changed in known ways. */
import { createRandom, type Random } from '../measure/random.ts';

export interface Abstract {
  id: string;
  sentences: string[];
}

export interface MadeQuote {
  kind: string;
  quote: string;
  /** The paper that the quote is said to be from; '' if none is named. */
  id: string;
}

/** Returns the words of a quote, and the paper if it is said to be from another. */
type Make = (
  sentence: string,
  random: Random,
  source: Abstract,
  other: Abstract,
) => { quote: string | undefined; id?: string };

/** Words that no abstract is likely to have in these places. */
const REPLACEMENTS = ['therefore', 'seldom', 'twice', 'purple', 'without', 'always', 'marginally'];

const makers: Readonly<Record<string, Make>> = {
  intact: (quote) => ({ quote }),
  'typeset anew': (sentence) => {
    const words = sentence.replaceAll('fi', 'ﬁ').replaceAll("'", '’').split(' ');
    return { quote: `“${words.join('\n')}”` };
  },
  'without an id': (quote) => ({ quote, id: '' }),
  'one word changed': (sentence, random) => {
    const words = sentence.split(' ');
    const at = 1 + random.below(Math.max(1, words.length - 2));
    const word = REPLACEMENTS[random.below(REPLACEMENTS.length)] as string;
    return { quote: words[at] === word ? undefined : words.with(at, word).join(' ') };
  },
  'one word left out': (sentence, random) => {
    const words = sentence.split(' ');
    const at = 1 + random.below(Math.max(1, words.length - 2));
    const isRepeated = words[at] === words[at + 1] || words[at] === words[at - 1];
    return { quote: isRepeated ? undefined : words.toSpliced(at, 1).join(' ') };
  },
  'two sentences joined': (sentence, random, { sentences }) => {
    // Not neighbors, which would be intact.
    const far = sentences.filter((_, at) => Math.abs(at - sentences.indexOf(sentence)) > 1);
    const next = far[random.below(Math.max(1, far.length))];
    return { quote: next === undefined ? undefined : `${sentence} ${next}` };
  },
  ellipsis: (sentence) => {
    const words = sentence.split(' ');
    const third = Math.floor(words.length / 3);
    return { quote: [...words.slice(0, third), '…', ...words.slice(2 * third)].join(' ') };
  },
  "another paper's": (quote, _random, _source, { id }) => ({ quote, id }),
  invented: (sentence, random, { sentences }) => {
    const words = sentence.split(' ').map((word, at) => {
      const from = (sentences[random.below(sentences.length)] ?? sentence).split(' ');
      return at % 2 === 0 ? (from[random.below(from.length)] as string) : word;
    });
    return { quote: words.join(' ') };
  },
};

/** Sentences with fewer words say little. */
const WORDS_MIN = 12;

/** About `count` quotes of all kinds, always the same for the same abstracts. */
export function makeQuotes(abstracts: readonly Abstract[], count: number): MadeQuote[] {
  const random = createRandom('quotes');
  const made: MadeQuote[] = [];
  const usable = abstracts.filter(({ sentences }) => sentences.some(isLong));
  const kinds = Object.entries(makers);
  for (let tries = 0; made.length < count && tries < 10 * count; tries++) {
    const source = usable[random.below(usable.length)] as Abstract;
    const other = usable[random.below(usable.length)] as Abstract;
    const long = source.sentences.filter(isLong);
    const sentence = long[random.below(long.length)] as string;
    // A sentence of both papers is nobody's mistake.
    if (other.id === source.id || other.sentences.includes(sentence)) continue;
    const [kind, make] = kinds[tries % kinds.length] as [string, Make];
    const { quote, id = source.id } = make(sentence, random, source, other);
    if (quote !== undefined) made.push({ kind, quote, id });
  }
  return made;
}

/** Whether a sentence has enough words to be quoted. */
export function isLong(sentence: string): boolean {
  return sentence.split(' ').length >= WORDS_MIN;
}
