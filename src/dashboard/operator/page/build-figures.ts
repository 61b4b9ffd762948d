import { hostname } from 'node:os';
import type { StoredBuild } from '../../../index/records/builds.ts';

/** What the pages show of a build. Another version of the program may leave any of it out. */
export interface BuildFigures {
  bytesRead?: number;
  /** 0 if the size of an input is not known. */
  bytesTotal?: number;
  /** Records. */
  read?: number;
  added?: number;
  updated?: number;
  skipped?: number;
  files?: readonly string[];
  /** The process that builds. */
  process?: { host: string; id: number };
}

/** Returns whether a build runs, on the command line or as an update. One of another machine is not known. */
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
