/** The learning queue with a fake thread. */
import { describe, expect, it } from 'vitest';
import type { LaneDocument } from '../../../src/lanes/lane/lane.ts';
import type { LearnCounts } from '../../../src/lanes/learning/learn.ts';
import {
  createLearningQueue,
  type LearningQueue,
} from '../../../src/lanes/learning/learning-queue.ts';
import { laneDocumentOf } from '../fake-lanes.ts';

const LIMITS = { learnQueueMax: 5, learnBatchMax: 2, learnRetryDelayMs: 1 };

function documentsOf(...ids: string[]): LaneDocument[] {
  return ids.map((id) => laneDocumentOf({ id, abstract: 'It rose.' }));
}

interface Fake {
  learner: LearningQueue;
  /** The ids of each batch. */
  batches: string[][];
  events: string[];
}

function start(learn: (call: number) => Promise<Partial<LearnCounts>>, limits = LIMITS): Fake {
  const batches: string[][] = [];
  const events: string[] = [];
  const learner = createLearningQueue({
    limits,
    log: {
      info: (event, fields) => events.push(`${event} ${fields?.['documents']}`),
      error: (event) => events.push(event),
    },
    learn: async (documents) => {
      batches.push(documents.map(({ id }) => id));
      const counts = await learn(batches.length);
      return { added: documents.length, passedOver: 0, isBusy: false, ...counts };
    },
  });
  return { learner, batches, events };
}

describe('createLearningQueue', () => {
  it('learns offered documents in batches', async () => {
    const { learner, batches, events } = start(async () => ({}));
    learner.offer(documentsOf('a', 'b', 'c'));
    await learner.close(1_000);
    expect(batches).toEqual([['a', 'b'], ['c']]);
    expect(events).toEqual(['learned 2', 'learned 1']);
  });

  it.each<[string, Partial<LaneDocument>]>([
    ['must not be stored', { isStorable: false, abstract: 'It rose.' }],
    ['has no abstract', { abstract: '' }],
  ])('leaves out a document that %s', async (_, fields) => {
    const { learner, batches } = start(async () => ({}));
    learner.offer([laneDocumentOf(fields)]);
    await learner.close(1_000);
    expect(batches).toEqual([]);
  });

  it('has a bound and keeps each document once', async () => {
    const { learner, batches } = start(async () => ({}));
    learner.offer(documentsOf('a', 'a', 'b', 'c', 'd', 'e', 'f', 'g'));
    await learner.close(1_000);
    expect(batches.flat()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('retries while another process writes', async () => {
    const { learner, batches, events } = start(async (call) =>
      call < 3 ? { added: 0, isBusy: true } : {},
    );
    learner.offer(documentsOf('a'));
    await learner.close(10_000);
    expect(batches).toEqual([['a'], ['a'], ['a']]);
    expect(events).toEqual(['learned 1']);
  });

  it('goes on after a failed batch, and logs it', async () => {
    const { learner, batches, events } = start(async (call) => {
      if (call === 1) throw new Error('defect');
      return {};
    });
    learner.offer(documentsOf('a', 'b', 'c'));
    await learner.close(1_000);
    expect(batches).toEqual([['a', 'b'], ['c']]);
    expect(events).toEqual(['learning_failed', 'learned 1']);
  });

  it('closes in time if a lock is never released, and logs what it did not learn', async () => {
    const { learner, events } = start(async () => ({ added: 0, isBusy: true }), {
      ...LIMITS,
      learnRetryDelayMs: 600_000,
    });
    learner.offer(documentsOf('a', 'b', 'c'));
    await learner.close(10);
    expect(events).toEqual(['not_learned 3']);
    learner.offer(documentsOf('d'));
    await learner.close(10);
    expect(events).toEqual(['not_learned 3']);
  });

  it('closes at once if there is nothing to learn', async () => {
    const { learner, events } = start(async () => ({}));
    await learner.close(600_000);
    expect(events).toEqual([]);
  });
});
