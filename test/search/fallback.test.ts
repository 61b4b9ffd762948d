/** What comes of falling back, with lanes and scoring of paper. */
import { describe, expect, it } from 'vitest';
import type { LaneDocument } from '../../src/lanes/lane.ts';
import {
  createFallback,
  type FallbackLimits,
  type FallbackParts,
  type ScoringTask,
} from '../../src/search/fallback.ts';
import { answering, type Behaviour, fakeLanes, laneDocumentOf } from '../fallback/fake-lanes.ts';

const LIMITS: FallbackLimits = {
  ...{ laneConfidence: 0.5, laneSearchesMax: 2, laneScoringsMax: 1 },
  ...{ laneScoringMarginMs: 50, laneAnswerMarginMs: 10 },
};
const REQUEST = { query: 'sourdough', limit: 10, withAbstract: false };
const found = laneDocumentOf({ title: 'Sourdough' });
const never = (): Promise<never> => new Promise(() => {});

interface Fake {
  behaviour?: Behaviour;
  score?: (task: ScoringTask) => Promise<string | undefined>;
  limits?: Partial<FallbackLimits>;
}

function start({ behaviour = answering([found]), score, limits = {} }: Fake = {}) {
  const offered: LaneDocument[] = [];
  const errors: unknown[] = [];
  const tasks: ScoringTask[] = [];
  const lanes = fakeLanes(behaviour);
  const parts: FallbackParts<string> = {
    ...{ lanes, limits: { ...LIMITS, ...limits } },
    score: (task) => {
      tasks.push(task);
      return score === undefined ? Promise.resolve('merged') : score(task);
    },
    onDocuments: (documents) => offered.push(...documents),
    onError: (error) => errors.push(error),
  };
  const fallback = createFallback(parts);
  const run = (c = 0.3, timeMs = 200) => fallback(REQUEST, c, performance.now() + timeMs);
  return { run, lanes, offered, errors, tasks };
}

describe('a fallback', () => {
  it.each<[what: string, fake: Fake, outcome: string, merged?: string]>([
    ['all goes well', {}, 'served', 'merged'],
    ['lanes have nothing', { behaviour: answering([]) }, 'nothing'],
    ['lanes never end', { behaviour: never }, 'no_time'],
    ['lanes throw', { behaviour: () => Promise.reject(new Error('defect')) }, 'nothing'],
    ['nothing could be scored in time', { score: async () => undefined }, 'not_scored'],
    ['scoring never ends', { score: never }, 'not_scored'],
    ['scoring fails', { score: () => Promise.reject(new Error('defect')) }, 'not_scored'],
    ['the margin is all of the time', { limits: { laneScoringMarginMs: 1_000 } }, 'no_time'],
  ])('ends in time and without an error where %s', async (_, fake, outcome, merged) => {
    const { run } = start(fake);
    const started = performance.now();
    const fallen = await run();
    expect(fallen.merged).toBe(merged);
    expect(fallen.trace).toMatchObject({ outcome, c: 0.3, threshold: 0.5 });
    // Far below the hour that a promise that never ends would take; no figure of speed.
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it.each([
    [0.499, ['sourdough']],
    [0.5, []],
    [0.9, []],
  ])('asks lanes only below the threshold: %d', async (c, asked) => {
    const { run, lanes } = start();
    const { trace } = await run(c);
    expect(lanes.asked).toEqual(asked);
    expect(trace.outcome).toBe(asked.length === 0 ? 'close' : 'served');
  });

  it('tells scoring when to stop, before the answer is due', async () => {
    const { run, tasks } = start();
    const due = Date.now() + 10_000 - LIMITS.laneAnswerMarginMs;
    await run(0.3, 10_000);
    expect(tasks).toMatchObject([{ request: REQUEST, documents: [found] }]);
    expect(tasks[0]?.until).toBeLessThan(due);
  });

  it('asks for so many searches at a time, and again when one has ended', async () => {
    let free = (): void => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const { run } = start({
      behaviour: async () => {
        await freed;
        return { documents: [], reports: [] };
      },
    });
    const waiting = [run(0.3, 60_000), run(0.3, 60_000)];
    expect((await run(0.3, 60_000)).trace.outcome).toBe('busy');
    free();
    await Promise.all(waiting);
    expect((await run(0.3, 60_000)).trace.outcome).toBe('nothing');
  });

  it('scores so many at a time, and one that came too late still counts', async () => {
    const { run } = start({ score: never });
    expect((await run()).trace.outcome).toBe('not_scored');
    const started = performance.now();
    expect((await run(0.3, 600_000)).trace.outcome).toBe('not_scored');
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('offers what lanes returned to be learned, when it has been scored', async () => {
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

  it('reports a defect once', async () => {
    const { run, errors } = start({ score: () => Promise.reject(new Error('defect')) });
    await run();
    expect(errors).toEqual([new Error('defect')]);
  });
});
