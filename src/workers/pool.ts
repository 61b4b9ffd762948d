/**
 * Worker threads, each running this program's bundle in one role. Piscina brings the threads back
 * when one dies, and bounds the queue.
 */
import { Piscina } from 'piscina';
import { bundlePath } from '../bundle.ts';
import { errorOf, type Outcome } from './outcome.ts';
import type { WorkerData } from './worker.ts';

export interface PoolOptions {
  data: WorkerData;
  threads: number;
  /** Tasks that wait for a thread at most; a further one is refused. */
  queueMax: number;
}

export interface Pool<Task, Result> {
  run(task: Task): Promise<Result>;
  /** Waits for the tasks under way, then ends the threads. */
  close(): Promise<void>;
}

/** Starts the threads; each is ready when it has run its first task. */
export function createPool<Task, Result>({
  data,
  threads,
  queueMax,
}: PoolOptions): Pool<Task, Result> {
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
  return {
    async run(task) {
      const outcome = await pool.run(task);
      if ('failure' in outcome) throw errorOf(outcome.failure);
      return outcome.value;
    },
    async close() {
      // A thread that is ended while it loads its native parts takes the whole process with it.
      for (const thread of pool.threads) thread.ref();
      await Promise.all(started);
      await pool.close();
    },
  };
}
