/**
 * Worker threads, each running this program's bundle in one role. Piscina replaces threads that die
 * and bounds the queue.
 */
import { Piscina } from 'piscina';
import { bundlePath } from '../bundle.ts';
import { VerbatimError } from '../errors.ts';
import { errorOf, type Outcome } from './outcome.ts';

/** How long a closing pool waits for its tasks before it ends the threads anyway. */
export const CLOSE_WAIT_MS_MAX = 15_000;

/** The role of a thread. src/worker.ts lists the roles. */
export interface ThreadData {
  role: string;
}

export interface PoolOptions<Data extends ThreadData> {
  /** The data that each thread starts with. */
  data: Data;
  threads: number;
  /** Tasks that may wait for a thread. Further ones are rejected. */
  queueMax: number;
}

export interface Pool<Task, Result> {
  /** Runs a task. Rejects with `at_capacity` if the pool is closing. */
  run(task: Task): Promise<Result>;
  /** Waits for the tasks so far, then ends the threads. */
  close(): Promise<void>;
}

/** The threads of a pool and their tasks, for metrics. */
export interface PoolCounts {
  threads: number;
  /** Tasks that run or wait for a thread. */
  tasks: number;
  /** Threads that died and were replaced. */
  threadsDied: number;
}

export interface ThreadPool<Task, Result> extends Pool<Task, Result> {
  /** The number of tasks that run or wait. */
  underWay(): number;
  counts(): PoolCounts;
}

/** Starts the threads. Each is ready when it has run its first task. */
export function createPool<Task, Result, Data extends ThreadData = ThreadData>({
  data,
  threads,
  queueMax,
}: PoolOptions<Data>): ThreadPool<Task, Result> {
  const pool = new Piscina<Task, Outcome<Result>>({
    filename: bundlePath(),
    name: 'workerHandler',
    workerData: data,
    minThreads: threads,
    maxThreads: threads,
    maxQueue: queueMax,
    concurrentTasksPerWorker: 1,
    // Tasks block anyway, and with Atomics a thread takes the next one within microseconds.
    atomics: 'sync',
  });
  let threadsDied = 0;
  // Its tasks have failed already, but nothing else reports the thread.
  pool.on('error', (error: Error) => {
    threadsDied++;
    process.emitWarning(`a worker thread died and was replaced: ${error.message}`);
  });
  const started = pool.threads.map(
    (thread) =>
      new Promise<void>((resolve) => {
        // A thread's first message says that its handler is loaded.
        thread.once('message', () => resolve());
        thread.once('exit', () => resolve());
      }),
  );
  const running = new Set<Promise<unknown>>();
  const end = async (): Promise<void> => {
    // Ending a thread while it loads or runs native code crashes the process, and Piscina ends all
    // threads when the first one is idle. So wait for the threads to start.
    for (const thread of pool.threads) thread.ref();
    await Promise.all(started);
    await waitForLast(Promise.allSettled(running));
    await pool.close();
  };
  let ended: Promise<void> | undefined;
  return {
    async run(task) {
      // Piscina would restart its threads.
      if (ended !== undefined) throw new VerbatimError('at_capacity');
      const done = pool.run(task);
      running.add(done);
      try {
        const outcome = await done;
        if ('failure' in outcome) throw errorOf(outcome.failure);
        return outcome.value;
      } finally {
        running.delete(done);
      }
    },
    underWay: () => running.size,
    counts: () => ({ threads: pool.threads.length, tasks: running.size, threadsDied }),
    close() {
      ended ??= end();
      return ended;
    },
  };
}

/** Resolves when the running tasks of a closing pool end, or after `CLOSE_WAIT_MS_MAX`. */
export function waitForLast(ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSE_WAIT_MS_MAX);
    void ended.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
