/**
 * Worker threads, each running this program's bundle in one role. Piscina replaces threads that die
 * and bounds the queue.
 */
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Damage } from '../database/damage/damage-register.ts';
import { messageOf, VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';
import { bundlePath } from '../settings/bundle.ts';
import { errorOf, type Outcome } from './outcome.ts';
import type { ThreadMessage } from './report-from-thread.ts';

/** How long a closing pool waits for its tasks before it ends the threads anyway. */
export const CLOSE_WAIT_MS_MAX = 15_000;

/** The role of a thread. src/commands/worker.ts lists the roles. */
export interface ThreadData {
  role: string;
}

export interface PoolOptions<Data extends ThreadData> {
  /** The data that each thread starts with. */
  data: Data;
  threads: number;
  /** Tasks that may wait for a thread. Further ones are rejected. */
  queueMax: number;
  /** Called once for each thread that dies. If absent, Node prints a warning. */
  onThreadDied?: ((death: ThreadDeath) => void) | undefined;
  /** Receives what threads report with `reportFromThread`. */
  onDamage?: ((damage: Damage) => void) | undefined;
}

/** A thread that died and was replaced. */
export interface ThreadDeath {
  role: string;
  reason: string;
}

export interface Pool<Task, Result> {
  /**
   * Runs a task. Rejects with `at_capacity` if the pool is closing, and with `degraded` if the thread
   * dies. What the task has done by then is unknown.
   */
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
  onThreadDied = warnOfDeath,
  onDamage,
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
  const watch = watchThreads(pool, (reason) => onThreadDied({ role: data.role, reason }));
  pool.on('message', ({ damage }: ThreadMessage) => onDamage?.(damage));
  const running = new Set<Promise<unknown>>();
  const end = async (): Promise<void> => {
    // Ending a thread while it loads or runs native code crashes the process, and Piscina ends all
    // threads when the first one is idle. So wait for the threads to start, replacements included.
    for (const thread of pool.threads) thread.ref();
    await watch.end();
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
        const outcome = await done.catch((error: unknown) => {
          throw errorOfLostTask(error);
        });
        if ('failure' in outcome) throw errorOf(outcome.failure);
        return outcome.value;
      } finally {
        running.delete(done);
      }
    },
    underWay: () => running.size,
    counts: () => ({
      threads: pool.threads.length,
      tasks: running.size,
      threadsDied: watch.died(),
    }),
    close() {
      ended ??= end();
      return ended;
    },
  };
}

interface ThreadWatch {
  /** The number of threads that have died. */
  died(): number;
  /** From now on threads may end. Resolves when none is starting. */
  end(): Promise<void>;
}

/**
 * Watches the threads of a pool and those that replace them. Piscina itself reports a death only if
 * the thread had no task.
 */
function watchThreads(pool: Piscina, onDied: (reason: string) => void): ThreadWatch {
  let died = 0;
  let isEnding = false;
  const watched = new WeakSet<Worker>();
  const starting = new Set<Promise<void>>();
  const watchAll = (): void => {
    for (const thread of pool.threads.filter((each) => !watched.has(each))) {
      watched.add(thread);
      const started = untilStarted(thread).then(() => {
        starting.delete(started);
      });
      starting.add(started);
      let reason = '';
      thread.once('error', (error) => {
        reason = messageOf(error);
      });
      thread.once('exit', (code) => {
        if (isEnding) return;
        died++;
        onDied(reason || `it exited with ${code}`);
        watchAll();
      });
    }
  };
  watchAll();
  pool.on('workerCreate', watchAll);
  // Without a listener it would be thrown.
  pool.on('error', () => {});
  return {
    died: () => died,
    async end() {
      isEnding = true;
      watchAll();
      await Promise.all(starting);
    },
  };
}

/** Resolves when a thread has loaded its handler, which its first message says, or has ended. */
function untilStarted(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    thread.once('message', () => resolve());
    thread.once('exit', () => resolve());
  });
}

/** Returns an `onThreadDied` that logs the death. */
export function logDeath(log: Log): (death: ThreadDeath) => void {
  return (death) => log.error('thread_died', { ...death });
}

function warnOfDeath({ role, reason }: ThreadDeath): void {
  process.emitWarning(`a thread (${role}) died and was replaced: ${reason}`);
}

/** A handler never throws, so a task without an outcome found no place or lost its thread. */
function errorOfLostTask(error: unknown): VerbatimError {
  if (messageOf(error) === 'Task queue is at limit') return new VerbatimError('at_capacity');
  const message = 'a thread died and was replaced; try again';
  return new VerbatimError('degraded', message, { cause: error });
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
