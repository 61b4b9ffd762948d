/** Records which files a build read, passed over, or could not read, for its report. */
import { messageOf } from '../../errors.ts';
import type { PassedOver, PassReason } from '../../ingest/read/input.ts';

/** Files of each kind that a report names. Further files are only counted. */
export const FILES_NAMED_MAX = 100;

export interface FileReport {
  /** Files read to the end, or until the build was interrupted. */
  filesRead: number;
  /** The first files that were passed over. */
  passedOver: { file: string; reason: PassReason; why: string }[];
  /** The first files that could not be read to the end. */
  damaged: { file: string; why: string }[];
}

export interface FileTally {
  started(path: string): void;
  passedOver(input: PassedOver): void;
  failed(path: string, error: unknown): void;
  report(): FileReport;
}

export function createFileTally(): FileTally {
  const report: FileReport = { filesRead: 0, passedOver: [], damaged: [] };
  let current: string | undefined;
  return {
    started(path) {
      current = path;
      report.filesRead++;
    },
    passedOver({ path: file, passedOver: reason, why }) {
      if (report.passedOver.length < FILES_NAMED_MAX) report.passedOver.push({ file, reason, why });
    },
    failed(file, error) {
      if (file === current) report.filesRead--;
      current = undefined;
      if (report.damaged.length < FILES_NAMED_MAX) {
        report.damaged.push({ file, why: messageOf(error) });
      }
    },
    report: () => ({ ...report }),
  };
}
