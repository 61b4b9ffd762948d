/** What a server does about a defect that nothing has caught: it says so, and serves on. */
import { detailsOf } from '../errors.ts';
import type { Log } from '../log.ts';

/**
 * Logs exceptions and rejections that nothing has caught, instead of letting them end the process.
 * What a crash would save is little: credit and keys are in the database, each change of them in a
 * transaction of another thread, and whatever waits here has a time limit. What it would cost is the
 * answers of all customers, as often as somebody finds the request that causes it.
 */
export function surviveDefects(log: Log): void {
  const report = (error: unknown): void => {
    log.error('unexpected_error', { reason: detailsOf(error) });
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}
