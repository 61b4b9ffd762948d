/**
 * Lets the owners of tasks take turns at the threads of a pool, so that one owner with many tasks
 * holds up another one for no longer than a task takes.
 */
import { VerbatimError } from '../errors.ts';
import { type Pool, waitForLast } from './pool.ts';

export interface InTurnOptions {
  threads: number;
  /** Tasks that may wait for a thread. Further ones are rejected. */
  queueMax: number;
}

export interface InTurnPool<Task, Result> {
  /** Runs a task. Rejects with `at_capacity` if the queue is full or closing, and as the pool does. */
  run(task: Task, owner: number): Promise<Result>;
  /** Waits for the tasks so far, then ends the threads. */
  close(): Promise<void>;
}

/** Tasks of one owner run in their order. */
export function inTurn<Task, Result>(
  pool: Pool<Task, Result>,
  { threads, queueMax }: InTurnOptions,
): InTurnPool<Task, Result> {
  /** By owner, those whose turn is next first. */
  const waiting = new Map<number, (() => Promise<void>)[]>();
  const running = new Set<Promise<void>>();
  let waitingTasks = 0;
  let isClosing = false;
  const start = (): void => {
    for (const [owner, [first, ...others]] of waiting) {
      if (running.size >= threads) return;
      waiting.delete(owner);
      // At the end of the line. The loop comes to it again.
      if (others.length > 0) waiting.set(owner, others);
      waitingTasks--;
      const run = (first as () => Promise<void>)().then(() => {
        running.delete(run);
        start();
      });
      running.add(run);
    }
  };
  const runAll = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    run: (task, owner) =>
      new Promise((resolve, reject) => {
        if (isClosing || waitingTasks >= queueMax) throw new VerbatimError('at_capacity');
        const work = (): Promise<void> => pool.run(task).then(resolve, reject);
        waiting.set(owner, [...(waiting.get(owner) ?? []), work]);
        waitingTasks++;
        start();
      }),
    async close() {
      isClosing = true;
      await waitForLast(runAll());
      await pool.close();
    },
  };
}
