/** How the documents of a search are divided among fake threads. */
import { expect, it } from 'vitest';
import type { ScoringTask } from '../../../src/lanes/scoring/scoring-task.ts';
import { createLaneScoring } from '../../../src/lanes/threads/lane-scoring.ts';
import type { LaneResult, LaneTask } from '../../../src/lanes/threads/lane-worker.ts';
import { laneDocumentOf } from '../fake-lanes.ts';

const REQUEST = { query: 'sourdough', limit: 10, withAbstract: false };
const UNIT = { bytes: new Uint8Array(2), factor: 1, dimensions: 4 };
const documents = ['a', 'b', 'c', 'd', 'e'].map((title) => laneDocumentOf({ title }));
const task: ScoringTask = { request: REQUEST, documents, until: 1, known: new Map() };

/** A pool with a number of running tasks. */
function start(threads: number, busy: number) {
  const tasks: LaneTask[] = [];
  const run = async (laneTask: LaneTask): Promise<LaneResult> => {
    tasks.push(laneTask);
    if (laneTask.kind !== 'embed') return { n: 0, c: 0.5, results: [] };
    return new Map(laneTask.documents.map(({ title }) => [title, UNIT]));
  };
  const scoring = createLaneScoring({ run, underWay: () => busy }, threads);
  const embedded = () =>
    tasks.flatMap((one) =>
      one.kind === 'embed' ? [one.documents.map(({ title }) => title).join('')] : [],
    );
  const known = () => tasks.flatMap((one) => (one.kind === 'score' ? [...one.known.keys()] : []));
  return { scoring, tasks, embedded, known };
}

it.each([
  [1, 0, [], ''],
  [2, 1, [], ''],
  [2, 0, ['ace', 'bd'], 'abcde'],
  [4, 1, ['ad', 'be', 'c'], 'abcde'],
  [16, 0, ['a', 'b', 'c', 'd', 'e'], 'abcde'],
  // More tasks wait than there are threads.
  [2, 5, [], ''],
])('of %i threads, %i are busy: the others embed %j', async (threads, busy, deps, known) => {
  const run = start(threads, busy);
  expect(await run.scoring.score(task)).toMatchObject({ n: 0 });
  expect(run.embedded()).toEqual(deps);
  expect(run.known().sort().join('')).toBe(known);
});

it('keeps what is known, and tells the threads', async () => {
  const { scoring, tasks, known } = start(2, 0);
  await scoring.score({ ...task, known: new Map([['x', UNIT]]) });
  expect(known().sort().join('')).toBe('abcdex');
  const all = tasks.flatMap((one) => (one.kind === 'embed' ? [[...one.known.keys()]] : []));
  expect(all).toEqual([['x'], ['x']]);
});

it('embeds ahead on a thread that is idle, and on no other', async () => {
  expect(start(2, 2).scoring.embedWhenIdle({ documents, until: 1 })).toBeUndefined();
  const { scoring, embedded } = start(2, 1);
  expect((await scoring.embedWhenIdle({ documents, until: 1 }))?.size).toBe(5);
  expect(embedded()).toEqual(['abcde']);
});
