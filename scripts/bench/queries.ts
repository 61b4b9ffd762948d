/**
 * The queries: a third titles, a third fragments of sentences, both from the index, and a third
 * questions from questions.txt. No query is asked twice in a run, because a cache hit must not look
 * like speed.
 */
import type { StoredDocument } from '../../src/index/documents/stored-document.ts';
import { type IndexTotals, readTotals } from '../../src/index/index-facts.ts';
import { withIndex } from '../measure/databases.ts';
import { task } from '../measure/processes.ts';
import { createRandom, oneOf, type Random, shuffle } from '../measure/random.ts';
import { writtenQuestions } from '../measure/sample.ts';

const kinds = ['title', 'fragment', 'question'] as const;
type QueryKind = (typeof kinds)[number];

type Query = { kind: QueryKind; text: string };

type QueryCounts = Record<'measured' | 'warmUp' | 'load', number>;

export type QuerySets = { [Part in keyof QueryCounts]: Query[] };

export interface Drawn extends IndexTotals {
  queries: QuerySets;
}

type ReadAny = (random: Random) => StoredDocument;

const FRAGMENT_WORDS_MIN = 6;
const FRAGMENT_WORDS_MAX = 14;
/** After so many draws without a new query, a small index has no more queries of a kind. */
const DRAWS_MAX = 200;
/** The service accepts no longer queries. */
const QUERY_CHARACTERS_MAX = 2000;

/** Draws the queries of a run from an index. */
export const draw = task(
  'draw',
  (given: { database: string; seed: number; counts: QueryCounts }): Promise<Drawn> =>
    withIndex(given.database, ({ db, numbers, reader }) => {
      if (numbers.length === 0) throw new Error(`there are no documents in ${given.database}`);
      const readAny: ReadAny = (random) => reader.readUnchecked(oneOf(numbers, random));
      return { ...readTotals(db), queries: drawQueries(given.counts, given.seed, readAny) };
    }),
);

/** `readAny` returns a random document. */
function drawQueries(counts: QueryCounts, seed: number, readAny: ReadAny): QuerySets {
  const random = createRandom(`queries ${seed}`);
  const seen = new Set<string>();
  const drawers: Record<QueryKind, () => string> = {
    title: () => readAny(random).title.trim(),
    fragment: () => drawFragment(readAny(random), random),
    question: createQuestionDrawer(random, readAny),
  };
  const drawNew = (kind: QueryKind): Query | undefined => {
    for (let draws = 0; draws < DRAWS_MAX; draws++) {
      const text = drawers[kind]();
      if (text === '' || text.length > QUERY_CHARACTERS_MAX || seen.has(text)) continue;
      seen.add(text);
      return { kind, text };
    }
    return undefined;
  };
  const drawMany = (count: number): Query[] =>
    Array.from({ length: count }, (_, index) => {
      // An index can run out of titles. There is always another fragment or question.
      const kind = kinds[index % kinds.length] as QueryKind;
      const query = drawNew(kind) ?? drawNew('fragment') ?? drawNew('question');
      if (query === undefined) throw new Error('the index is too small to draw queries from');
      return query;
    });
  const [measured, warmUp] = [drawMany(counts.measured), drawMany(counts.warmUp)];
  return { measured, warmUp, load: drawMany(counts.load) };
}

/** Returns consecutive words of a sentence, '' if the drawn sentence is too short. */
function drawFragment({ abstract, spans }: StoredDocument, random: Random): string {
  const span = spans[random.below(spans.length)];
  if (span === undefined) return '';
  const words = abstract.slice(span.start, span.end).trim().split(/\s+/);
  if (words.length < FRAGMENT_WORDS_MIN) return '';
  const most = Math.min(FRAGMENT_WORDS_MAX, words.length);
  const length = FRAGMENT_WORDS_MIN + random.below(most - FRAGMENT_WORDS_MIN + 1);
  const first = random.below(words.length - length + 1);
  return words.slice(first, first + length).join(' ');
}

/** Draws each question once, and after that again with a word of a random title added. */
function createQuestionDrawer(random: Random, readAny: ReadAny): () => string {
  const order = shuffle(writtenQuestions(), random);
  let drawn = 0;
  return () => {
    const question = order[drawn % order.length] as string;
    if (drawn++ < order.length) return question;
    const words = readAny(random)
      .title.split(/\s+/)
      .filter((word) => word.length > 4);
    return `${question} ${words[random.below(words.length)] ?? ''}`.trim();
  };
}
