/** Quotes made from the abstracts of an index, intact and changed in known ways. */
import { createRandom, type Random } from '../bench/random.ts';

export interface Abstract {
  id: string;
  sentences: string[];
}

export interface MadeQuote {
  kind: string;
  quote: string;
  /** The paper that the quote is said to be from. */
  id: string;
}

type Make = (
  source: Abstract,
  sentence: string,
  random: Random,
  other: Abstract,
) => MadeQuote | undefined;

/** Words that no abstract is likely to have in these places. */
const REPLACEMENTS = ['therefore', 'seldom', 'twice', 'purple', 'without', 'always', 'marginally'];

const makers: Readonly<Record<string, Make>> = {
  intact: ({ id }, quote) => ({ kind: 'intact', quote, id }),
  'typeset anew': ({ id }, sentence) => {
    const words = sentence.replaceAll('fi', 'ﬁ').replaceAll("'", '’').split(' ');
    return { kind: 'typeset anew', quote: `“${words.join('\n')}”`, id };
  },
  'without an id': (_, quote) => ({ kind: 'without an id', quote, id: '' }),
  'one word changed': ({ id }, sentence, random) => {
    const words = sentence.split(' ');
    const at = 1 + random.below(Math.max(1, words.length - 2));
    const word = REPLACEMENTS[random.below(REPLACEMENTS.length)] as string;
    if (words[at] === word) return undefined;
    words[at] = word;
    return { kind: 'one word changed', quote: words.join(' '), id };
  },
  'one word left out': ({ id }, sentence, random) => {
    const words = sentence.split(' ');
    const at = 1 + random.below(Math.max(1, words.length - 2));
    if (words[at] === words[at + 1] || words[at] === words[at - 1]) return undefined;
    words.splice(at, 1);
    return { kind: 'one word left out', quote: words.join(' '), id };
  },
  'two sentences joined': ({ id, sentences }, sentence, random) => {
    // Not neighbors, which would be intact.
    const far = sentences.filter((_, at) => Math.abs(at - sentences.indexOf(sentence)) > 1);
    const next = far[random.below(Math.max(1, far.length))];
    if (next === undefined) return undefined;
    return { kind: 'two sentences joined', quote: `${sentence} ${next}`, id };
  },
  ellipsis: ({ id }, sentence) => {
    const words = sentence.split(' ');
    const third = Math.floor(words.length / 3);
    const quote = [...words.slice(0, third), '…', ...words.slice(2 * third)].join(' ');
    return { kind: 'ellipsis', quote, id };
  },
  "another paper's": (_, quote, _random, other) => ({
    kind: "another paper's",
    quote,
    id: other.id,
  }),
  invented: ({ id, sentences }, sentence, random) => {
    const words = sentence.split(' ').map((word, at) => {
      const from = (sentences[random.below(sentences.length)] ?? sentence).split(' ');
      return at % 2 === 0 ? (from[random.below(from.length)] as string) : word;
    });
    return { kind: 'invented', quote: words.join(' '), id };
  },
};

/** Sentences with fewer words say little. */
const WORDS_MIN = 12;

/** About `count` quotes of all kinds, always the same for the same abstracts. */
export function makeQuotes(abstracts: readonly Abstract[], count: number): MadeQuote[] {
  const random = createRandom('quotes');
  const made: MadeQuote[] = [];
  const usable = abstracts.filter(({ sentences }) => sentences.some(isLong));
  for (let tries = 0; made.length < count && tries < 10 * count; tries++) {
    const source = usable[random.below(usable.length)] as Abstract;
    const other = usable[random.below(usable.length)] as Abstract;
    const long = source.sentences.filter(isLong);
    const sentence = long[random.below(long.length)] as string;
    // A sentence of both papers is nobody's mistake.
    if (other.id === source.id || other.sentences.includes(sentence)) continue;
    const makes = Object.values(makers);
    const quote = makes[tries % makes.length]?.(source, sentence, random, other);
    if (quote !== undefined) made.push(quote);
  }
  return made;
}

function isLong(sentence: string): boolean {
  return sentence.split(' ').length >= WORDS_MIN;
}
