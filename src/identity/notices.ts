/** What journals announced about papers. Pure. */
import type { Notice } from '../types.ts';
import type { MergedDocument } from './merge-records.ts';

/** The notices about documents, the latest first. */
export function noticesOf(
  documents: readonly Pick<MergedDocument, 'records' | 'withheld'>[],
): Notice[] {
  const reported = documents.flatMap(({ records }) =>
    records.flatMap(({ notice }) => notice ?? []),
  );
  const notices = distinctNotices(reported);
  for (const reason of new Set(documents.flatMap(({ withheld }) => withheld ?? []))) {
    const kind = reason === 'retracted' ? 'retraction' : 'withdrawal';
    // The record says no more than that.
    if (!notices.some((notice) => notice.kind === kind)) notices.push({ kind, date: '', id: '' });
  }
  return latestFirst(notices);
}

/**
 * The notices without what several sources tell of one: those of a kind with the same id, or with
 * none and the same day as far as both know it. Each has the most exact date. The latest comes first.
 */
export function distinctNotices(notices: readonly Notice[]): Notice[] {
  const distinct: Notice[] = [];
  for (const notice of notices) {
    const at = distinct.findIndex((one) => isSameNotice(one, notice));
    const known = distinct[at];
    if (known === undefined) {
      distinct.push(notice);
      continue;
    }
    const date = notice.date.length > known.date.length ? notice.date : known.date;
    distinct[at] = { kind: known.kind, date, id: known.id || notice.id };
  }
  return latestFirst(distinct);
}

function isSameNotice(a: Notice, b: Notice): boolean {
  if (a.kind !== b.kind) return false;
  if (a.id !== '' && b.id !== '') return a.id.toLowerCase() === b.id.toLowerCase();
  return a.date.startsWith(b.date) || b.date.startsWith(a.date);
}

function latestFirst(notices: readonly Notice[]): Notice[] {
  return notices.toSorted((a, b) => (a.date < b.date ? 1 : -1));
}

/**
 * The notice that decides whether a paper may be cited: a retraction or withdrawal without a later
 * reinstatement, else an expression of concern. `notices` has the latest first.
 */
export function retractionOf(notices: readonly Notice[]): Notice | undefined {
  const ofKind = (...kinds: Notice['kind'][]): Notice | undefined =>
    notices.find(({ kind }) => kinds.includes(kind));
  const retraction = ofKind('retraction', 'withdrawal');
  const reinstatement = ofKind('reinstatement');
  const isReinstated = reinstatement !== undefined && reinstatement.date > (retraction?.date ?? '');
  if (retraction !== undefined && !isReinstated) return retraction;
  return isReinstated ? undefined : ofKind('expression_of_concern');
}
