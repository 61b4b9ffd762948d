#!/usr/bin/env node
/**
 * The program's entry: the command line in the main thread, a role in a worker thread (the same
 * bundle serves both). Each loads its own parts only: reading those of all takes longer than most
 * commands.
 */
import { isMainThread, workerData } from 'node:worker_threads';
import { disableTelemetry } from './library-environment.ts';

/** What the worker pool calls: see workers/pool.ts. */
export const workerHandler = isMainThread ? undefined : takeRole();

if (isMainThread) {
  disableTelemetry();
  // A reader such as `head` that has seen enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`verbatim: cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  // A log on a full disk loses lines, and must not end the server.
  process.stderr.on('error', () => {});
  const { runCommandLine } = await import('./commands/command-line.ts');
  process.exitCode = await runCommandLine();
}

async function takeRole() {
  const { createHandler } = await import('./worker.ts');
  return createHandler(workerData);
}
