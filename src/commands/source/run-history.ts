/** The report of a source's run in the history of builds. A run that reads nothing leaves none. */
import type { IndexBuilder } from '../../index/ports/index-builder.ts';
import { type BuildCounts, noCounts, sumCounts } from '../../ingest/build-counts.ts';
import type { SourceState } from '../../sources/ports/source.ts';
import { createFileTally, type FileTally } from '../index/file-tally.ts';
import { type BuildRecorder, recordBuild } from '../index/record-build.ts';

export interface RunHistory {
  tally: FileTally;
  /** Records the start with the first part. */
  partStarted(): Promise<void>;
  partEnded(counts: BuildCounts): void;
  ended(state: SourceState): Promise<void>;
}

export function createRunHistory(builder: IndexBuilder, source: string): RunHistory {
  const tally = createFileTally();
  let recorder: BuildRecorder | undefined;
  let all = noCounts();
  return {
    tally,
    async partStarted() {
      const files = [`source ${source}`];
      recorder ??= await recordBuild(builder, { files, tally, precomputed: () => undefined });
    },
    partEnded(counts) {
      all = sumCounts(all, counts);
    },
    async ended({ run }) {
      const outcome = run?.outcome === 'postponed' ? 'interrupted' : run?.outcome;
      const isEnd = outcome === 'done' || outcome === 'interrupted';
      await recorder?.ended(isEnd ? outcome : 'failed', all);
    },
  };
}
