/** Counts what a build has done so far, for its progress and its report. Pure. */
import type { Plan } from '../index/records/plan-change.ts';
import type { PreparedDocument } from './prepare.ts';
import type { PassReason } from './read/input.ts';
import type { SkipReason } from './read/packed-format.ts';
import type { LeftOutReason } from './selection/selection.ts';

/** What happens to the records of some files before they reach the index. */
export interface RecordCounts {
  /** Records read, good and bad. */
  read: number;
  /** Bad records. Each one is reported. */
  skipped: number;
  /** Bad records by reason. */
  skippedBy: Partial<Record<SkipReason, number>>;
  /** Records that the selection leaves out: see selection/. */
  leftOut: number;
  /** Records left out, by filter. */
  leftOutBy: Partial<Record<LeftOutReason, number>>;
}

export interface BuildCounts extends RecordCounts {
  /** Records that an interrupted run had already processed: see checkpoints.ts. */
  resumed: number;
  /** Records that created a document. */
  added: number;
  /** Records that replaced an earlier version of themselves. */
  updated: number;
  /** Records that the index already has with the same content. */
  unchanged: number;
  /** Records that joined an existing document. */
  merged: number;
  /** Papers that their source deleted. */
  deleted: number;
  /** Abstracts that wait for the record of their paper. */
  waiting: number;
  /** Records of papers that `index remove` keeps away. */
  keptAway: number;
  /** Records that left their document without an abstract. */
  withoutAbstract: number;
  /** Sentences embedded and written. */
  sentences: number;
  /** Sentences of changed documents whose stored vectors were kept. */
  sentencesKept: number;
  /** Files that could not be read to the end. */
  filesFailed: number;
  /** Files and folders that hold no records, or whose records are read from another path. */
  filesPassedOver: number;
  /** Files passed over, by reason. */
  passedOverBy: Partial<Record<PassReason, number>>;
}

export function noCounts(): BuildCounts {
  return {
    read: 0,
    resumed: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    merged: 0,
    deleted: 0,
    waiting: 0,
    keptAway: 0,
    withoutAbstract: 0,
    skipped: 0,
    skippedBy: {},
    leftOut: 0,
    leftOutBy: {},
    sentences: 0,
    sentencesKept: 0,
    filesFailed: 0,
    filesPassedOver: 0,
    passedOverBy: {},
  };
}

export function countSkipped(counts: RecordCounts, reason: SkipReason): void {
  counts.skipped++;
  counts.skippedBy[reason] = (counts.skippedBy[reason] ?? 0) + 1;
}

export function countLeftOut(counts: RecordCounts, reason: LeftOutReason): void {
  counts.leftOut++;
  counts.leftOutBy[reason] = (counts.leftOutBy[reason] ?? 0) + 1;
}

export function countPassedOver(counts: BuildCounts, reason: PassReason): void {
  counts.filesPassedOver++;
  counts.passedOverBy[reason] = (counts.passedOverBy[reason] ?? 0) + 1;
}

/** Counts a change that has been written. */
export function countChange(
  counts: BuildCounts,
  { planned, prepared }: { planned: Plan; prepared: readonly PreparedDocument[] },
): void {
  const { outcome, documents } = planned;
  if (outcome !== 'refused') counts[outcome]++;
  for (const { spans, units } of prepared) {
    // The sentences come last among the units.
    const sentences = units.slice(units.length - spans.length);
    const kept = sentences.filter((unit) => unit !== undefined).length;
    counts.sentences += spans.length - kept;
    counts.sentencesKept += kept;
  }
  const isNew = outcome === 'added' || outcome === 'updated' || outcome === 'merged';
  if (isNew && documents.some(({ document }) => document.abstract.trim() === '')) {
    counts.withoutAbstract++;
  }
}
