/** Which files a build read, passed over, and could not read, for its report. */
import { messageOf } from '../errors.ts';
import type { PassedOver, PassReason } from '../ingest/read/input.ts';

/** Files that a report names, of each kind; the others are counted. */
export const FILES_NAMED_MAX = 100;

export interface FileReport {
  /** Files that were read, to the end unless the build was interrupted. */
  filesRead: number;
  /** The first of those that were passed over. */
  passedOver: { file: string; reason: PassReason; why: string }[];
  /** The first of those that could not be read to their end. */
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
