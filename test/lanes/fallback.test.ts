/** Fallback with fake lanes and fake scoring. */
import { describe, expect, it } from 'vitest';
import {
  createFallback,
  type FallbackDeps,
  type FallbackLimits,
} from '../../src/lanes/fallback.ts';
import type { LaneDocument } from '../../src/lanes/lane/lane.ts';
import type {
  EmbeddingTask,
  EmbedWhenIdle,
  ScoreDocuments,
  ScoringTask,
  TextVectors,
} from '../../src/lanes/scoring/scoring-task.ts';
import type { LaneName } from '../../src/settings/lane-choice.ts';
import type { SearchFilter, SearchRequest } from '../../src/types.ts';
import { answering, type Behaviour, fakeLanes, laneDocumentOf, reportOf } from './fake-lanes.ts';

const LIMITS: FallbackLimits = {
  laneConfidence: 0.5,
  laneSearchesMax: 2,
  laneWaitMsMax: 60_000,
  laneScoringMarginMs: 50,
  laneAnswerMarginMs: 10,
};
const REQUEST: SearchRequest = { query: 'sourdough', limit: 10, withAbstract: false };
const found = laneDocumentOf({ title: 'Sourdough' });
const never = (): Promise<never> => new Promise(() => {});

interface Fake {
  behaviour?: Behaviour;
  score?: ScoreDocuments<string>;
  embed?: EmbedWhenIdle;
  limits?: Partial<FallbackLimits>;
  /** Short only for work that never ends. */
  timeMs?: number;
}

interface RunOptions {
  query?: string;
  allowed?: readonly LaneName[];
  filter?: SearchFilter;
}

function requestOf({ query = REQUEST.query, filter }: RunOptions): SearchRequest {
  return filter === undefined ? { ...REQUEST, query } : { ...REQUEST, query, filter };
}

function start({
  behaviour = answering([found]),
  score,
  embed = () => undefined,
  limits = {},
  timeMs: time = 60_000,
}: Fake = {}) {
  const offered: LaneDocument[] = [];
  const errors: unknown[] = [];
  const tasks: ScoringTask[] = [];
  const embeddings: EmbeddingTask[] = [];
  const lanes = fakeLanes(behaviour);
  const deps: FallbackDeps<string> = {
    lanes,
    limits: { ...LIMITS, ...limits },
    score: (task) => {
      tasks.push(task);
      return score === undefined ? Promise.resolve('merged') : score(task);
    },
    embed: (task) => {
      embeddings.push(task);
      return embed(task);
    },
    onDocuments: (documents) => offered.push(...documents),
    onError: (error) => errors.push(error),
  };
  const fallback = createFallback(deps);
  const run = (c = 0.3, timeMs = time, options: RunOptions = {}) =>
    fallback(requestOf(options), c, {
      deadline: performance.now() + timeMs,
      ...(options.allowed === undefined ? {} : { allowed: options.allowed }),
    });
  return { run, lanes, offered, errors, tasks, embeddings };
}

describe('createFallback', () => {
  it.each<[what: string, fake: Fake, outcome: string, merged?: string]>([
    ['all goes well', {}, 'served', 'merged'],
    ['lanes return nothing', { behaviour: answering([]) }, 'nothing'],
    ['lanes never end', { behaviour: never, timeMs: 200 }, 'late'],
    ['lanes throw', { behaviour: () => Promise.reject(new Error('defect')) }, 'failed'],
    ['nothing is scored in time', { score: async () => undefined }, 'not_scored'],
    ['scoring never ends', { score: never, timeMs: 1_000 }, 'not_scored'],
    ['scoring fails', { score: () => Promise.reject(new Error('defect')) }, 'not_scored'],
    ['the margin takes all of the time', { limits: { laneScoringMarginMs: 60_000 } }, 'no_time'],
  ])('resolves in time without an error when %s', async (_, fake, outcome, merged) => {
    const { run } = start(fake);
    const started = performance.now();
    const fallen = await run();
    expect(fallen.merged).toBe(merged);
    expect(fallen.trace).toMatchObject({ outcome, c: 0.3, threshold: 0.5 });
    // Far less than a promise that never resolves would take. This is not a measure of speed.
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it.each([
    [0.499, ['sourdough']],
    [0.5, []],
    [0.9, []],
  ])('asks lanes only below the threshold (c = %d)', async (c, asked) => {
    const { run, lanes } = start();
    const { trace } = await run(c);
    expect(lanes.asked).toEqual(asked);
    expect(trace.outcome).toBe(asked.length === 0 ? 'close' : 'served');
  });

  it('stops scoring before the answer is due', async () => {
    const { run, tasks } = start();
    const due = Date.now() + 10_000 - LIMITS.laneAnswerMarginMs;
    await run(0.3, 10_000);
    expect(tasks).toMatchObject([{ request: REQUEST, documents: [found] }]);
    expect(tasks[0]?.until).toBeLessThan(due);
  });

  it('limits concurrent questions, and asks again when one has ended', async () => {
    let free = (): void => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const { run } = start({
      behaviour: async () => {
        await freed;
        return { documents: [], reports: [reportOf()] };
      },
    });
    const ask = (query: string) => run(0.3, 60_000, { query });
    // The same question again takes up no more room.
    const waiting = [ask('yeast'), ask('mould'), ask('mould')];
    expect((await ask('bread')).trace.outcome).toBe('busy');
    free();
    const outcomes = (await Promise.all(waiting)).map(({ trace }) => trace.outcome);
    expect(outcomes).toEqual(['nothing', 'nothing', 'nothing']);
    expect((await ask('bread')).trace.outcome).toBe('nothing');
  });

  it('keeps the local results if too many questions wait to be scored', async () => {
    const { run } = start({ score: () => undefined });
    expect((await run()).trace.outcome).toBe('not_scored');
  });

  it.each<[readonly LaneName[], outcome: string]>([
    [[], 'not_allowed'],
    // A lane that is off.
    [['semantic_scholar'], 'not_allowed'],
    [['web'], 'served'],
    [['arxiv', 'semantic_scholar', 'web'], 'served'],
  ])('asks the lanes %j if they are allowed (%s)', async (allowed, outcome) => {
    const { run, lanes } = start();
    expect((await run(0.3, 60_000, { allowed })).trace.outcome).toBe(outcome);
    expect(lanes.allowed).toEqual(outcome === 'served' ? [allowed] : []);
  });

  it.each<[filter: SearchFilter, outcome: string]>([
    [{ years: { from: 2000, to: 2020 }, hasAbstract: true }, 'served'],
    [{ ids: ['10.5555/bread'] }, 'not_filtered'],
    [{ types: ['article'] }, 'not_filtered'],
  ])('asks the lanes with the filter %j if they can apply it (%s)', async (filter, outcome) => {
    const { run, lanes } = start();
    expect((await run(0.3, 60_000, { filter })).trace.outcome).toBe(outcome);
    expect(lanes.allowed).toHaveLength(outcome === 'served' ? 1 : 0);
  });

  it('neither scores nor learns withheld documents', async () => {
    const retracted = laneDocumentOf({ id: 'gone', title: 'Yeast', withheld: 'retracted' });
    const copy = laneDocumentOf({ id: 'copy', title: 'Yeast', abstract: 'It rose.' });
    const { run, tasks, offered } = start({ behaviour: answering([retracted, copy, found]) });
    expect((await run(0.3, 60_000)).trace.outcome).toBe('served');
    expect(tasks.map(({ documents }) => documents)).toEqual([[found]]);
    expect(offered).toEqual([found]);
  });

  it('hands documents on to learning after they were scored', async () => {
    const order: string[] = [];
    const { run, offered } = start({
      score: async () => {
        order.push(`scored, ${offered.length} offered`);
        return 'merged';
      },
    });
    await run();
    expect([order, offered]).toEqual([['scored, 0 offered'], [found]]);
  });

  it('reports an unexpected error once', async () => {
    const { run, errors } = start({ score: () => Promise.reject(new Error('defect')) });
    await run();
    expect(errors).toEqual([new Error('defect')]);
  });
});

it('reports an error once that several searches share', async () => {
  const shared = Promise.reject(new Error('defect'));
  const { run, errors } = start({ score: () => shared });
  const fallen = await Promise.all([run(), run(), run()]);
  expect(fallen.map(({ trace }) => trace.outcome)).toEqual(Array(3).fill('not_scored'));
  expect(errors).toHaveLength(1);
});

describe('speculative embedding', () => {
  const early = [found];
  const vectors: TextVectors = new Map([
    ['Sourdough', { bytes: new Uint8Array(2), factor: 1, dimensions: 4 }],
  ]);
  /** One lane responds first, and the other one returns nothing. */
  const oneFirst: Behaviour = async (_query, _deadline, { onResponse: onAnswer }) => {
    onAnswer?.(early);
    return { documents: [...early], reports: [] };
  };

  it('embeds the documents of the first lane, and hands the vectors to scoring', async () => {
    const { run, tasks, embeddings } = start({ behaviour: oneFirst, embed: async () => vectors });
    expect((await run()).trace.outcome).toBe('served');
    expect(embeddings).toMatchObject([{ documents: [found] }]);
    expect(tasks.map(({ known }) => known)).toEqual([vectors]);
    expect(embeddings[0]?.until).toBeCloseTo(tasks[0]?.until as number, -2);
  });

  it('does not embed withheld documents', async () => {
    const behaviour: Behaviour = async (_query, _deadline, { onResponse: onAnswer }) => {
      onAnswer?.([
        found,
        laneDocumentOf({ id: 'arXiv:2401.00002', title: 'Mould', withheld: 'retracted' }),
      ]);
      return { documents: [found], reports: [] };
    };
    const { run, embeddings } = start({ behaviour });
    await run();
    expect(embeddings.map(({ documents }) => documents)).toMatchObject([[{ title: 'Sourdough' }]]);
  });

  it('embeds shared documents once for all searches', async () => {
    const { run, tasks, embeddings } = start({ behaviour: oneFirst, embed: async () => vectors });
    await Promise.all([run(), run(), run()]);
    expect(embeddings).toHaveLength(1);
    expect(tasks.map(({ known }) => known)).toEqual([vectors, vectors, vectors]);
  });

  it.each<[what: string, embed: EmbedWhenIdle]>([
    ['no thread is idle', () => undefined],
    ['embedding fails', () => Promise.reject(new Error('defect'))],
  ])('leaves embedding to scoring when %s', async (_, embed) => {
    const { run, tasks, errors } = start({ behaviour: oneFirst, embed });
    expect((await run()).trace.outcome).toBe('served');
    expect(tasks.map(({ known }) => known.size)).toEqual([0]);
    expect(errors).toEqual([]);
  });

  it('is not awaited after the answer is due', async () => {
    const { run } = start({ behaviour: oneFirst, embed: never, score: never, timeMs: 500 });
    expect((await run()).trace.outcome).toBe('not_scored');
  });
});
