#!/usr/bin/env node
/**
 * The program's entry: the command line in the main thread, a role in a worker thread (the same
 * bundle serves both). Each loads its own parts only: reading those of all takes longer than most
 * commands.
 */
import { isMainThread, workerData } from 'node:worker_threads';

/** What the worker pool calls: see workers/pool.ts. */
export const workerHandler = isMainThread ? undefined : takeRole();

if (isMainThread) {
  // A reader such as `head` that has seen enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  const { runCommandLine } = await import('./commands/command-line.ts');
  process.exitCode = await runCommandLine();
}

async function takeRole() {
  const { createHandler } = await import('./workers/worker.ts');
  return createHandler(workerData);
}
