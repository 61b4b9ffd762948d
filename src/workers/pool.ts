/**
 * Worker threads, each running this program's bundle in one role. Piscina brings the threads back
 * when one dies, and bounds the queue.
 */
import { Piscina } from 'piscina';
import { bundlePath } from '../bundle.ts';
import { VerbatimError } from '../errors.ts';
import { errorOf, type Outcome } from './outcome.ts';

/** A pool that closes waits so long for its tasks; then the threads are ended all the same. */
export const CLOSE_WAIT_MS_MAX = 15_000;

/** Names what a thread does; src/worker.ts knows the roles. */
export interface ThreadData {
  role: string;
}

export interface PoolOptions<Data extends ThreadData> {
  /** What each thread starts with. */
  data: Data;
  threads: number;
  /** Tasks that wait for a thread at most; a further one is refused. */
  queueMax: number;
}

export interface Pool<Task, Result> {
  /** Rejects with `at_capacity` where the pool is closing. */
  run(task: Task): Promise<Result>;
  /** Waits for the tasks that were put in so far, then ends the threads. */
  close(): Promise<void>;
}

export interface ThreadPool<Task, Result> extends Pool<Task, Result> {
  /** How many tasks run or wait. */
  underWay(): number;
}

/** Starts the threads; each is ready when it has run its first task. */
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
    // Tasks are blocking anyway, and with Atomics a thread takes the next one in microseconds.
    atomics: 'sync',
  });
  // Its tasks have failed already; nobody else would hear of it.
  pool.on('error', (error: Error) => {
    process.emitWarning(`a worker thread died and is replaced: ${error.message}`);
  });
  const started = pool.threads.map(
    (thread) =>
      new Promise<void>((resolve) => {
        // What a thread posts first is that it has loaded its handler.
        thread.once('message', () => resolve());
        thread.once('exit', () => resolve());
      }),
  );
  const running = new Set<Promise<unknown>>();
  const end = async (): Promise<void> => {
    // A thread that is ended while it loads or runs its native parts takes the whole process with
    // it, and Piscina ends all threads when the first one has nothing left to do.
    for (const thread of pool.threads) thread.ref();
    await Promise.all(started);
    await waitForLast(Promise.allSettled(running));
    await pool.close();
  };
  let ended: Promise<void> | undefined;
  return {
    async run(task) {
      // Piscina would start its threads again.
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
    close() {
      ended ??= end();
      return ended;
    },
  };
}

/** Resolves when what a closing pool has under way has ended, or after the longest wait. */
export function waitForLast(ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSE_WAIT_MS_MAX);
    void ended.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
