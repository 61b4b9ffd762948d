/** Records a build in the index at its start, so that a killed build is in the history too. */
import { hostname } from 'node:os';
import type { IndexBuilder } from '../../index/ports/index-builder.ts';
import type { BuildOutcome } from '../../index/records/builds.ts';
import { type BuildCounts, noCounts } from '../../ingest/build-counts.ts';
import { type BuildReport, reportOf } from './build-report.ts';
import type { FileTally } from './file-tally.ts';

export interface BuildRecorder {
  /** Remembers the counts in case the build fails. */
  progress(counts: BuildCounts): void;
  /** Stores the report and returns it. */
  ended(outcome: BuildOutcome, counts?: BuildCounts): Promise<BuildReport>;
}

export async function recordBuild(
  builder: IndexBuilder,
  options: { files: readonly string[]; tally: FileTally; precomputed?: () => number | undefined },
): Promise<BuildRecorder> {
  const started = performance.now();
  let last = noCounts();
  const reportNow = (counts: BuildCounts): BuildReport =>
    reportOf(counts, {
      seconds: (performance.now() - started) / 1000,
      files: options.files,
      precomputed: options.precomputed?.(),
      fileReport: options.tally.report(),
    });
  // So that the pages of operators can tell a build that runs from one that was killed.
  const own = { host: hostname(), id: process.pid };
  const end = await builder.startBuild<BuildReport & { process?: typeof own }>({
    ...reportNow(last),
    process: own,
  });
  return {
    progress(counts) {
      last = counts;
    },
    async ended(outcome, counts = last) {
      const made = reportNow(counts);
      await end(outcome, made);
      return made;
    },
  };
}
