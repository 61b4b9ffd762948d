/** Decides whether an entry is indexed, skipped as bad, or left out by the selection. Pure. */
import type { KeptRecord } from '../identity/kept-record.ts';
import type { NormalizedEntry } from './normalize-entries.ts';
import { type DocumentLimits, type DocumentProblem, documentProblem } from './prepare.ts';
import type { LeftOutReason } from './selection/selection.ts';
import type { Selector } from './selection/selector.ts';

export type FilteredEntry =
  | { record: KeptRecord }
  | Extract<NormalizedEntry, { deletion: unknown }>
  /** `record`: the fields that were read. */
  | { skipped: DocumentProblem; record?: KeptRecord }
  | { leftOut: LeftOutReason };

export interface FilterOptions {
  limits: DocumentLimits;
  selector: Selector;
}

/** Filters come first, so that bad records are reported only if they were selected. */
export function filterEntry(
  entry: NormalizedEntry,
  { limits, selector }: FilterOptions,
): FilteredEntry {
  if ('problem' in entry) return { skipped: entry };
  // A deletion has no fields to filter by.
  if ('deletion' in entry) return entry;
  const { record, about } = entry;
  const leftOut = selector.leftOut(record, about);
  if (leftOut !== undefined) return { leftOut };
  const problem = documentProblem(record, limits);
  if (problem !== undefined) return { skipped: problem, record };
  return selector.isSampled(record) ? { record } : { leftOut: 'not_in_sample' };
}
