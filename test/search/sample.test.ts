/** Searches of the sample with the real model: the same answer whatever way it is come to. */
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { createEmbedder } from '../../src/embed/embedder.ts';
import { loadModel } from '../../src/embed/model.ts';
import { createSearchParts, retrieve, type SearchLimits } from '../../src/search/search.ts';
import { openStoreForReading, type Store } from '../../src/store/open.ts';
import type { Answer, Embedding } from '../../src/types.ts';

const QUESTIONS = [
  ...['why does a barnacle not live lower on the shore', 'does sleep help memory'],
  ...['il6 and inflammation', 'how are sorted keys kept on disk', 'what makes a proof random'],
  ...['which soils hold the most carbon', 'to be or not to be', 'zebrafish qwertz', '土壤含碳'],
  ...['do cash transfers make people work less', 'how old is a cave painting', 'café'],
];
const LIMIT = 10;

interface Question {
  query: string;
  vector: Embedding;
}

const model = loadModel('');
let questions: Question[];

beforeAll(async () => {
  const embedder = await createEmbedder(model);
  const db = openStoreForReading({ path: inject('sampleIndex'), lockWaitMs: 5000 });
  const titles = db
    .prepare('SELECT title FROM documents WHERE number % 9 = 0 ORDER BY number')
    .pluck()
    .all() as string[];
  db.close();
  questions = await Promise.all(
    [...QUESTIONS, ...titles].map(async (query) => ({
      query,
      vector: await embedder.embedQuery(query),
    })),
  );
});

/** Answers each question on a connection of its own. */
function searcherOf(limits: Partial<SearchLimits> = {}): {
  db: Store;
  ask: (question: Question, limit?: number) => Answer;
} {
  const db = openStoreForReading({ path: inject('sampleIndex'), lockWaitMs: 5000 });
  onTestFinished(() => {
    db.close();
  });
  const parts = createSearchParts(db, model.dimensions, { ...readSettings({}, {}), ...limits });
  const ask = ({ query, vector }: Question, limit = LIMIT): Answer =>
    retrieve({ query, limit, withAbstract: true }, vector, parts).answer;
  return { db, ask };
}

describe.each([
  ['scanned', 1_000_000],
  ['by cells', 0],
])('the sample, %s', (_, scannedWithoutCellsMax) => {
  it('gives the same bytes again, on another connection, and without its caches', () => {
    const first = searcherOf({ scannedWithoutCellsMax });
    const second = searcherOf({ scannedWithoutCellsMax });
    const uncached = searcherOf({ scannedWithoutCellsMax, cellBytesCachedMax: 1 });
    const answers = questions.map((question) => JSON.stringify(first.ask(question)));
    expect(new Set(answers).size).toBe(questions.length);
    first.db.pragma('shrink_memory');
    uncached.db.pragma('cache_size = 0');
    for (const { ask } of [first, second, uncached]) {
      // The other way round, so that no search stands on what the one before has left.
      for (const [i, question] of [...questions.entries()].reverse()) {
        expect(JSON.stringify(ask(question)), question.query).toBe(answers[i]);
      }
    }
  });

  it('gives the beginning of the same answer where less is asked for', () => {
    const { ask } = searcherOf({ scannedWithoutCellsMax });
    for (const question of questions) {
      const whole = ask(question, 50);
      expect(whole.n).toBe(50);
      for (const limit of [5, 10]) {
        const part = { ...whole, n: limit, results: whole.results.slice(0, limit) };
        expect(ask(question, limit), question.query).toEqual(part);
      }
    }
  });
});

describe('cells', () => {
  it('give nearly what looking at everything gives', () => {
    const scanned = searcherOf({ scannedWithoutCellsMax: 1_000_000 });
    const celled = searcherOf({ scannedWithoutCellsMax: 0 });
    let shared = 0;
    for (const question of questions) {
      const ids = new Set(scanned.ask(question).results.map(({ d }) => d));
      const found = celled.ask(question).results.filter(({ d }) => ids.has(d));
      expect(found.length, question.query).toBeGreaterThanOrEqual(LIMIT - 2);
      shared += found.length;
    }
    expect(shared / questions.length).toBeGreaterThanOrEqual(0.98 * LIMIT);
  });
});
