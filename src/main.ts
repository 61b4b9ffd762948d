#!/usr/bin/env node
/**
 * The program's entry: the command line in the main thread, a role in a worker thread (the same
 * bundle serves both). Maps errors to exit codes and does nothing else.
 */
import { isMainThread, workerData } from 'node:worker_threads';
import { CommanderError } from 'commander';
import { createProgram } from './commands/program.ts';
import { detailsOf, VerbatimError } from './errors.ts';
import { createHandler } from './workers/worker.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** What a shell reports of a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/** What the worker pool calls: see workers/pool.ts. */
export const workerHandler = isMainThread ? undefined : createHandler(workerData);

if (isMainThread) {
  // A reader such as `head` that has seen enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : EXIT_FAILED);
  });
  createProgram()
    .parseAsync()
    .catch((error: unknown) => {
      process.exitCode = report(error);
    });
}

function report(error: unknown): number {
  // Commander has printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (!(error instanceof VerbatimError)) {
    process.stderr.write(`verbatim: unexpected error\n${detailsOf(error)}\n`);
    return EXIT_FAILED;
  }
  process.stderr.write(`verbatim: ${error.message}\n`);
  if (error.code === 'interrupted') return EXIT_INTERRUPTED;
  return error.code === 'usage' ? EXIT_USAGE : EXIT_FAILED;
}
