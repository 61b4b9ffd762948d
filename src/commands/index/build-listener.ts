/** Shows the events of a build, and passes them on to the report and to the skipped-records file. */
import type { BuildListener } from '../../ingest/build.ts';
import type { BuildCounts } from '../../ingest/build-counts.ts';
import { formatNumber } from '../../text/format-number.ts';
import { printable } from '../cli/output.ts';
import type { ProgressDisplay } from '../cli/progress.ts';
import type { FileTally } from './file-tally.ts';
import { createInputMessages } from './input-messages.ts';
import type { SkippedLog } from './skipped-log.ts';

export interface ListenerOptions {
  /** How many bad records per file, and how many passed-over files, are shown. */
  problemsShownMax: number;
  tally: FileTally;
  skippedLog: SkippedLog | undefined;
  recordProgress: (counts: BuildCounts) => void;
  /** Does not name files that are read without a problem. */
  isBrief: boolean;
}

export function createListener(display: ProgressDisplay, options: ListenerOptions): BuildListener {
  const { problemsShownMax, tally, skippedLog, recordProgress: noteProgress, isBrief } = options;
  const messages = createInputMessages(display.message, problemsShownMax);
  let shown = 0;
  return {
    fileStarted(path, format, { entries, isDone }) {
      shown = 0;
      tally.started(path);
      if (isBrief) return;
      const before = `${formatNumber(entries)} records were processed before the interruption`;
      const file = printable(path);
      if (isDone) display.message(`passing over ${file} (${format}): all its ${before}`);
      else if (entries > 0) display.message(`reading ${file} (${format}): ${before}`);
      else display.message(`reading ${file} (${format})`);
    },
    passedOver(input) {
      tally.passedOver(input);
      messages.passedOver(input);
      skippedLog?.passedOver(input);
    },
    fileFailed(path, error) {
      tally.failed(path, error);
      messages.fileFailed(error);
      skippedLog?.fileFailed(path, error);
    },
    skipped(record) {
      skippedLog?.record(record);
      const { path, line, problem } = record;
      shown++;
      if (shown <= problemsShownMax) {
        display.message(printable(`${path}:${line}: skipped: ${problem}`));
      } else if (shown === problemsShownMax + 1) {
        display.message(`${printable(path)}: further bad records are only counted`);
      }
    },
    progress({ bytesRead, bytesTotal, ...counts }) {
      noteProgress(counts);
      if (isBrief) display.status('indexing, which takes a few seconds');
      else display.update({ ...counts, bytesRead, bytesTotal });
    },
  };
}
