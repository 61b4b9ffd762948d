/**
 * Searches of the sample with the real model. Answers are reproducible, and the example question has
 * a good one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import { quickStart, responseExample } from '../../src/dashboard/docs/examples.ts';
import { openStoreForReading } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createSearchDeps, retrieve } from '../../src/search/search.ts';
import type { SearchLimits } from '../../src/search/search-limits.ts';
import { samplePath } from '../../src/settings/bundle.ts';
import { readSettings } from '../../src/settings/config.ts';
import { exampleQuestion, samplePaper } from '../../src/settings/example.ts';
import {
  createEmbedder,
  type Embedder,
  type QueryEmbedding,
} from '../../src/text/embed/embedder.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import { readTermEmbeddings } from '../../src/text/embed/term-embeddings.ts';
import type { Answer, Citation } from '../../src/types.ts';
import { sourceOf } from '../support/source-of.ts';

const QUESTIONS = [
  ...['why does a barnacle not live lower on the shore', 'does sleep help memory'],
  ...['il6 and inflammation', 'how are sorted keys kept on disk', 'what makes a proof random'],
  ...['which soils hold the most carbon', 'to be or not to be', 'zebrafish qwertz', '土壤含碳'],
  ...['do cash transfers make people work less', 'how old is a cave painting', 'café'],
];
const LIMIT = 10;

interface Question {
  query: string;
  embedding: QueryEmbedding;
}

const model = loadModel('');
let embedder: Embedder;
let questions: Question[];

beforeAll(async () => {
  embedder = await createEmbedder(model);
  const db = openStoreForReading({ path: inject('sampleIndex'), lockWaitMs: 5000 });
  const titles = db
    .prepare('SELECT title FROM documents WHERE number % 9 = 0 ORDER BY number')
    .pluck()
    .all() as string[];
  db.close();
  questions = await Promise.all(
    [...QUESTIONS, ...titles].map(async (query) => ({
      query,
      embedding: await embedder.embedQuery(query),
    })),
  );
});

/** A searcher with a connection of its own. */
function searcherOf(limits: Partial<SearchLimits> = {}): {
  db: Connection;
  ask: (question: Question, limit?: number) => Promise<Answer>;
} {
  const db = openStoreForReading({ path: inject('sampleIndex'), lockWaitMs: 5000 });
  onTestFinished(() => {
    db.close();
  });
  const settings = { ...readSettings({}, {}), ...limits };
  const deps = createSearchDeps(sourceOf(db, settings), model, settings, {
    termEmbeddings: readTermEmbeddings(model),
  });
  const ask = async ({ query, embedding }: Question, limit = LIMIT): Promise<Answer> =>
    (await retrieve({ query, limit, withAbstract: true }, embedding, deps)).answer;
  return { db, ask };
}

describe.each([
  ['scanned', 1_000_000],
  ['by cells', 0],
])('searching the sample, %s', (_, exactScanMax) => {
  it('gives the same bytes again, on another connection and without caches', async () => {
    const first = searcherOf({ exactScanMax });
    const second = searcherOf({ exactScanMax });
    const uncached = searcherOf({ exactScanMax, listBytesCachedMax: 1 });
    const answers: string[] = [];
    for (const question of questions) answers.push(JSON.stringify(await first.ask(question)));
    expect(new Set(answers).size).toBe(questions.length);
    first.db.pragma('shrink_memory');
    uncached.db.pragma('cache_size = 0');
    for (const { ask } of [first, second, uncached]) {
      // In reverse order, so that no search profits from the caches of the one before.
      for (const [i, question] of [...questions.entries()].reverse()) {
        expect(JSON.stringify(await ask(question)), question.query).toBe(answers[i]);
      }
    }
  });

  it('gives a prefix of the same answer for a lower limit', async () => {
    const { ask } = searcherOf({ exactScanMax });
    for (const question of questions) {
      const whole = await ask(question, 50);
      expect(whole.n).toBe(50);
      for (const limit of [5, 10]) {
        const part = { ...whole, n: limit, results: whole.results.slice(0, limit) };
        expect(await ask(question, limit), question.query).toEqual(part);
      }
    }
  });
});

describe('cells', () => {
  it('find nearly the same results as an exhaustive scan', async () => {
    const scanned = searcherOf({ exactScanMax: 1_000_000 });
    const celled = searcherOf({ exactScanMax: 0 });
    let shared = 0;
    for (const question of questions) {
      const ids = new Set((await scanned.ask(question)).results.map(({ d }) => d));
      const found = (await celled.ask(question)).results.filter(({ d }) => ids.has(d));
      expect(found.length, question.query).toBeGreaterThanOrEqual(LIMIT - 2);
      shared += found.length;
    }
    expect(shared / questions.length).toBeGreaterThanOrEqual(0.98 * LIMIT);
  });
});

describe('the example question', () => {
  const top = resolve(import.meta.dirname, '../..');
  const readme = readFileSync(join(top, 'README.md'), 'utf8');
  const quickStarts = quickStart('http://localhost:8080').map(({ code }) => code);

  async function help(): Promise<string> {
    let text = '';
    const writeOut = (piece: string): void => {
      text += piece;
    };
    (await createProgram()).configureOutput({ writeOut }).outputHelp();
    return text;
  }

  it('is the same in README, /docs and the help', async () => {
    const shown = [readme, await help(), ...quickStarts];
    const asked = shown.flatMap((text) => [
      ...[...text.matchAll(/"?query"?: ["']([^"']+)["']/g)].map(([, question]) => question),
      ...[...text.matchAll(/verbatim search "([^"]+)"/g)].map(([, question]) => question),
    ]);
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(new Set(asked)).toEqual(new Set([exampleQuestion]));
  });

  it('has an answer worth citing', async () => {
    const embedding = await embedder.embedQuery(exampleQuestion);
    const answer = await searcherOf().ask({ query: exampleQuestion, embedding }, 3);
    expect(answer.c).toBeGreaterThan(0.7);
    expect(answer.results.map(({ d }) => d)).toEqual([
      'sample:psychology-sleep-and-forgetting',
      'sample:neuroscience-sleep-memory-consolidation',
      'sample:psychology-sleep-loss-and-new-memories',
    ]);
    expect(answer.results[0]?.q).toBe(
      'Sleep after learning improves memory: people forget less over a night of sleep than over the same time awake.',
    );
  });

  it('is shown with its real answer, shortened', async () => {
    const embedding = await embedder.embedQuery(exampleQuestion);
    const found = await searcherOf().ask({ query: exampleQuestion, embedding }, 3);
    const { results, ...answer } = found;
    const { ab: _, ...first } = results[0] as Citation;
    // Processors without 8-bit dot products round the encoder's sums differently.
    const near = (score: number): unknown => expect.closeTo(score, 1);
    expect(JSON.parse(responseExample)).toEqual({
      ...answer,
      c: near(answer.c),
      results: [{ ...first, s: near(first.s) }],
    });
    const { id: d, title: t, year: y, authors: a, quote: q } = samplePaper;
    expect(first).toMatchObject({ d, t, y, a, q });
  });

  it('comes with the true number of sample documents in README', () => {
    const files = readdirSync(samplePath());
    const documents = files.flatMap((file) =>
      readFileSync(join(samplePath(), file), 'utf8').trimEnd().split('\n'),
    );
    expect(readme).toContain(`(${documents.length} abstracts in ${files.length} fields, `);
  });
});
