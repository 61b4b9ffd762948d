/** Whether a build that has not ended still runs, on the command line or as an update. */
import { hostname } from 'node:os';
import type { StoredBuild } from '../../../index/records/builds.ts';
import type { BuildFigures } from './build-figures.ts';

/** Returns false for a build of another machine, of which nothing is known here. */
export function isRunning({
  outcome,
  report,
}: Pick<StoredBuild<BuildFigures>, 'outcome' | 'report'>): boolean {
  if (outcome !== null || report.process?.host !== hostname()) return false;
  try {
    process.kill(report.process.id, 0);
    return true;
  } catch (error) {
    // It runs, and is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
