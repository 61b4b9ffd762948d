/** What becomes of an entry: it is taken, bad, or left out. Pure. */
import type { KeptRecord } from '../identity/kept-record.ts';
import { withheldByTitle } from '../identity/withheld.ts';
import type { Identifiers } from '../types.ts';
import type { Entry, Supplement } from './format.ts';
import { type DocumentLimits, type DocumentProblem, documentProblem } from './prepare.ts';
import type { LeftOutReason } from './selection/selection.ts';
import type { Selector } from './selection/selector.ts';

export type Verdict =
  | { record: KeptRecord }
  | { deletion: Identifiers }
  /** `read`: what there was of it. */
  | { skipped: DocumentProblem; read?: KeptRecord }
  | { leftOut: LeftOutReason };

export interface JudgeOptions {
  source: KeptRecord['source'];
  limits: DocumentLimits;
  selector: Selector;
}

/** Filters come first, so that nothing is said of bad records that nobody asked for. */
export function judge(entry: Entry, { source, limits, selector }: JudgeOptions): Verdict {
  if ('problem' in entry) return { skipped: entry };
  // A source that takes a paper back does not say what it was.
  if ('deletion' in entry) return { deletion: entry.deletion };
  const record = recordIn(entry, source);
  const leftOut = selector.leftOut(record, 'document' in entry ? entry.about : undefined);
  if (leftOut !== undefined) return { leftOut };
  const problem = documentProblem(record, limits);
  if (problem !== undefined) return { skipped: problem, read: record };
  return selector.isSampled(record) ? { record } : { leftOut: 'not_in_sample' };
}

function recordIn(
  entry: Extract<Entry, { document: unknown } | { supplement: unknown }>,
  source: KeptRecord['source'],
): KeptRecord {
  if ('supplement' in entry) return { ...recordOf(entry.supplement), source, part: 'abstract' };
  const { document } = entry;
  // In any format: not every source has a field for it.
  const withheld = document.withheld ?? withheldByTitle(document.title);
  const known = withheld === undefined ? {} : { withheld };
  return { ...document, ...known, source, part: 'record' };
}

/** What a supplement says, as a record that says nothing else. */
function recordOf({ identifiers, abstract, withheld }: Supplement) {
  const bare = { id: '', title: '', year: 0, authors: [], venue: '', updatedAt: 0 };
  return { ...bare, identifiers, abstract, ...(withheld === undefined ? {} : { withheld }) };
}
