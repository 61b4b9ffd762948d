/** What a thread is given of what waits. The pool is made by hand: its tasks end when they are told. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BatchingOptions, inBatches } from '../../src/workers/batching.ts';
import type { Outcome } from '../../src/workers/outcome.ts';
import { CLOSE_WAIT_MS_MAX, type Pool } from '../../src/workers/pool.ts';

interface Batch {
  tasks: number[];
  end(outcomes: Outcome<string>[]): void;
  fail(error: Error): void;
}

const LARGE: BatchingOptions = { threads: 2, batchMax: 8, queueMax: 1000 };
const TOO_OLD = { failure: { code: 'at_capacity', message: 'odd', stack: undefined } } as const;

/** The answer to a task; an odd one fails. */
function outcomeOf(task: number): Outcome<string> {
  return task % 2 === 1 ? TOO_OLD : { value: `answer ${task}` };
}

function start(options: Partial<BatchingOptions> = {}) {
  /** All that threads were given, and what of it is under way. */
  const received: Batch[] = [];
  const underWay: Batch[] = [];
  let closed = 0;
  const inner: Pool<number[], Outcome<string>[]> = {
    run: (tasks) =>
      new Promise((resolve, reject) => {
        const leave = () => underWay.splice(underWay.indexOf(batch), 1);
        const batch: Batch = {
          tasks,
          end(outcomes) {
            leave();
            resolve(outcomes);
          },
          fail(error) {
            leave();
            reject(error);
          },
        };
        received.push(batch);
        underWay.push(batch);
      }),
    close: async () => {
      closed++;
    },
  };
  const pool = inBatches(inner, { ...LARGE, ...options });
  return { pool, received, underWay, closed: () => closed };
}

/** Until all promises that can go on have gone on. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('a pool of single tasks', () => {
  it.each<[waiting: number, options: Partial<BatchingOptions>, sizes: number[]]>([
    [1, {}, [1]],
    [2, {}, [1, 1]],
    [3, {}, [1, 1, 1]],
    [6, {}, [1, 1, 2, 1, 1]],
    [10, {}, [1, 1, 4, 2, 1, 1]],
    [30, {}, [1, 1, 8, 8, 6, 3, 2, 1]],
    [30, { threads: 1 }, [1, 8, 8, 8, 5]],
    [7, { threads: 1, batchMax: 1 }, [1, 1, 1, 1, 1, 1, 1]],
    [9, { threads: 4 }, [1, 1, 1, 1, 2, 1, 1, 1]],
  ])('makes of %i that come at once, with %j, batches of %j', async (count, options, sizes) => {
    const { pool, received, underWay } = start(options);
    const tasks = Array.from({ length: count }, (_, i) => 2 * i);
    const answers = Promise.all(tasks.map(pool.run));
    while (underWay.length > 0) {
      const [first] = underWay as [Batch];
      first.end(first.tasks.map(outcomeOf));
      await settle();
    }
    expect(await answers).toEqual(tasks.map((task) => `answer ${task}`));
    expect(received.map((batch) => batch.tasks.length)).toEqual(sizes);
    expect(received.flatMap((batch) => batch.tasks)).toEqual(tasks);
  });

  it('gives each task its own outcome in any order of arrival and completion', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant('come' as const) },
      fc.record({ end: fc.nat(9), fails: fc.boolean() }),
    );
    const options = fc.record({
      threads: fc.integer({ min: 1, max: 3 }),
      batchMax: fc.integer({ min: 1, max: 4 }),
      queueMax: fc.integer({ min: 1, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(options, fc.array(step, { maxLength: 60 }), async (limits, steps) => {
        const { pool, received, underWay } = start(limits);
        const outcomes: Promise<unknown>[] = [];
        const expected: unknown[] = [];
        const taken: number[] = [];
        const refused = { code: 'at_capacity', message: expect.stringContaining('capacity') };
        const finish = (batch: Batch, fails: boolean): void => {
          for (const task of batch.tasks) {
            const failure = fails ? { message: 'the thread died' } : { message: 'odd' };
            expected[task] = fails || task % 2 === 1 ? failure : `answer ${task}`;
          }
          if (fails) batch.fail(new Error('the thread died'));
          else batch.end(batch.tasks.map(outcomeOf));
        };
        const waiting = () => taken.length - received.flatMap(({ tasks }) => tasks).length;
        for (const one of steps) {
          const before = received.length;
          const left = waiting();
          if (one === 'come') {
            const task = outcomes.length;
            if (left >= limits.queueMax) expected[task] = refused;
            else taken.push(task);
            outcomes.push(pool.run(task).catch((error: unknown) => error));
          } else if (underWay.length > 0) {
            finish(underWay[one.end % underWay.length] as Batch, one.fails);
            await settle();
            const share = Math.min(limits.batchMax, Math.ceil(left / limits.threads));
            expect(received.slice(before).map(({ tasks }) => tasks.length)).toEqual(
              left > 0 ? [share] : [],
            );
          }
          expect(underWay.length).toBeLessThanOrEqual(limits.threads);
          // No thread is idle while something waits.
          if (waiting() > 0) expect(underWay.length).toBe(limits.threads);
        }
        while (underWay.length > 0) {
          finish(underWay[0] as Batch, false);
          await settle();
        }
        expect(received.flatMap(({ tasks }) => tasks)).toEqual(taken);
        for (const [task, outcome] of (await Promise.all(outcomes)).entries()) {
          if (typeof expected[task] === 'string') expect(outcome).toBe(expected[task]);
          else expect(outcome).toMatchObject(expected[task] as object);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('rejects tasks beyond the queue, and accepts more when a thread takes some', async () => {
    const { pool, underWay } = start({ threads: 1, queueMax: 2 });
    const taken = [0, 2, 4].map(pool.run);
    await expect(pool.run(6)).rejects.toMatchObject({ code: 'at_capacity' });
    underWay[0]?.end([outcomeOf(0)]);
    await settle();
    taken.push(pool.run(8));
    while (underWay.length > 0) {
      underWay[0]?.end((underWay[0] as Batch).tasks.map(outcomeOf));
      await settle();
    }
    expect(await Promise.all(taken)).toEqual([0, 2, 4, 8].map((task) => `answer ${task}`));
  });

  it('rejects a task without an outcome', async () => {
    const { pool, underWay } = start({ threads: 1 });
    const tasks = Promise.allSettled([0, 2, 4].map(pool.run));
    underWay[0]?.end([outcomeOf(0)]);
    await settle();
    underWay[0]?.end([outcomeOf(2)]);
    expect(await tasks).toMatchObject([
      { status: 'fulfilled', value: 'answer 0' },
      { status: 'fulfilled', value: 'answer 2' },
      { status: 'rejected' },
    ]);
  });
});

describe('a pool of single tasks that closes', () => {
  it('finishes its tasks, rejects new ones, and ends the threads last', async () => {
    const { pool, underWay, closed } = start();
    const taken = Array.from({ length: 20 }, (_, i) => pool.run(2 * i));
    const closing = pool.close();
    await expect(pool.run(40)).rejects.toMatchObject({ code: 'at_capacity' });
    while (underWay.length > 0) {
      expect(closed()).toBe(0);
      underWay.at(-1)?.end((underWay.at(-1) as Batch).tasks.map(outcomeOf));
      await settle();
    }
    await closing;
    expect(closed()).toBe(1);
    expect(await Promise.all(taken)).toEqual(taken.map((_, i) => `answer ${2 * i}`));
    await expect(pool.run(42)).rejects.toMatchObject({ code: 'at_capacity' });
  });

  it('ends the threads if it is idle', async () => {
    const { pool, closed } = start();
    await pool.close();
    expect(closed()).toBe(1);
  });

  it('rejects tasks that wait for a hanging thread', async () => {
    const { pool, underWay, closed } = start({ threads: 1 });
    const outcomes = [0, 2, 4].map((task) => pool.run(task).catch((error: unknown) => error));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const closing = pool.close();
    await vi.advanceTimersByTimeAsync(CLOSE_WAIT_MS_MAX);
    await closing;
    expect(closed()).toBe(1);
    // As the threads' end would.
    underWay[0]?.fail(new Error('the thread was ended'));
    expect(await Promise.all(outcomes)).toMatchObject([
      { message: 'the thread was ended' },
      { code: 'at_capacity' },
      { code: 'at_capacity' },
    ]);
    expect(underWay).toEqual([]);
  });
});
