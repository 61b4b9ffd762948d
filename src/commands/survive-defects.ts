/** Keeps a server running after an uncaught error. */
import { detailsOf } from '../errors.ts';
import type { Log } from '../log.ts';

/**
 * Logs uncaught exceptions and rejections instead of ending the process. A crash would save little:
 * credit and keys are in the database, each change in another thread's transaction, and everything
 * in memory has a time limit. A crash would cost the responses of all customers, every time someone
 * repeats the request that causes it.
 */
export function surviveDefects(log: Log): void {
  const report = (error: unknown): void => {
    log.error('unexpected_error', { reason: detailsOf(error) });
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}
