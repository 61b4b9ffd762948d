/** The report at the end of `index add`, which is printed and kept in the index. */
import type { BuildCounts } from '../../ingest/build-counts.ts';
import { formatNumber } from '../../text/format-number.ts';
import { describeCounts, print, printJson } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';
import type { FileCounts } from './assert-all-read.ts';
import { FILES_NAMED_MAX, type FileReport } from './file-tally.ts';

export interface BuildReport extends BuildCounts, FileReport {
  seconds: number;
  /** The files that were to be read. Folders are replaced by their files. */
  files: string[];
  /** Texts whose vectors came from a file; undefined without a file. */
  precomputed?: number;
}

/** `line`: one line, for a build that is part of another command. */
export type ReportFormat = 'text' | 'json' | 'line' | 'none';

export function reportOf(
  counts: BuildCounts,
  what: {
    seconds: number;
    files: readonly string[];
    fileReport: FileReport;
    precomputed: number | undefined;
  },
): BuildReport {
  const { seconds, files, fileReport, precomputed } = what;
  const named = files.slice(0, FILES_NAMED_MAX);
  const further = files.length - named.length;
  return {
    ...counts,
    ...fileReport,
    seconds: Math.round(seconds * 1000) / 1000,
    files: further > 0 ? [...named, `and ${further} more`] : named,
    ...(precomputed === undefined ? {} : { precomputed }),
  };
}

export function printReport(report: BuildReport, how: ReportFormat): void {
  if (how === 'none') return;
  if (how === 'line') {
    const { added, sentences, seconds } = report;
    print(
      `indexed ${formatNumber(added)} documents with ${formatNumber(sentences)} sentences ` +
        `in ${formatDuration(seconds)}`,
    );
    return;
  }
  if (how === 'json') {
    printJson(report);
    return;
  }
  const { added, updated, unchanged, skipped, merged, sentences, seconds } = report;
  const rate = Math.round((added + updated + merged) / Math.max(seconds, 0.001));
  print(
    `${describeCounts({ added, updated, unchanged, skipped })}; ${formatNumber(sentences)} sentences ` +
      `in ${formatDuration(seconds)} (${formatNumber(rate)} documents/s)`,
  );
  const further = {
    'processed before an interruption': report.resumed,
    merged,
    deleted: report.deleted,
    'waiting for their paper': report.waiting,
    'kept away, because their paper was removed': report.keptAway,
    'without abstract': report.withoutAbstract,
    'sentences kept': report.sentencesKept,
  };
  printNonzeroCounts('', further);
  if (report.precomputed !== undefined) {
    print(`${formatNumber(report.precomputed)} vectors came from the file`);
  }
  printNonzeroCounts('skipped: ', report.skippedBy);
  printNonzeroCounts('left out: ', report.leftOutBy);
  printFiles(report);
}

/** Prints how many files were read, damaged, and passed over, if any was not read. */
export function printFiles({
  filesRead,
  filesFailed,
  filesPassedOver,
  passedOverBy,
}: FileCounts & Pick<FileReport, 'filesRead'>): void {
  const counts = { read: filesRead, damaged: filesFailed, 'passed over': filesPassedOver };
  if (filesFailed + filesPassedOver > 0) print(`files: ${describeCounts(counts)}`);
  printNonzeroCounts('passed over: ', passedOverBy);
}

/** Prints the counts that are not 0, if there are any. */
function printNonzeroCounts(before: string, counts: Readonly<Record<string, number>>): void {
  const nonzero = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  if (Object.keys(nonzero).length > 0) print(before + describeCounts(nonzero));
}
