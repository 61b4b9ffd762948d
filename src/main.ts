#!/usr/bin/env node
/**
 * The entry point: the command line in the main thread, a role in worker threads. Both run the same
 * bundle and load only what they need, because loading everything takes longer than most commands.
 */
import { isMainThread, workerData } from 'node:worker_threads';
import { disableTelemetry } from './commands/library-environment.ts';

/** Called by the worker pool; see workers/pool.ts. */
export const workerHandler = isMainThread ? undefined : takeRole();

if (isMainThread) {
  disableTelemetry();
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`verbatim: cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  // A full disk loses log lines and must not end the server.
  process.stderr.on('error', () => {});
  const { runCommandLine } = await import('./commands/command-line.ts');
  process.exitCode = await runCommandLine();
}

async function takeRole() {
  const { createHandler } = await import('./commands/worker.ts');
  return createHandler(workerData);
}
