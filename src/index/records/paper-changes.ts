/**
 * What happens to the papers of an index, for readers who follow it. The index keeps the last change of each
 * paper, in the order in which they were written. Pure.
 */
import type { DocumentId, SourceRecord } from '../../types.ts';

type Withheld = NonNullable<SourceRecord['withheld']>;

/** Why a paper is not among the results. */
export type GoneReason = Withheld | 'removed';

/**
 * The place of a change among all changes: the time when it was written, in microseconds since 1970, or one more
 * than the place before. So it grows even if the clock does not, and is never given twice.
 */
export type Sequence = number;

/** The sequences of a millisecond. */
export const SEQUENCES_PER_MS = 1_000;

/** A paper as far as its changes go. */
export interface PaperState {
  id: DocumentId;
  /** The hash of what is cited. */
  hash: Buffer;
  /** Why it is withheld; null if it is not. */
  reason: Withheld | null;
}

/** What a transaction does to a paper. */
export interface PaperChange {
  id: DocumentId;
  /** Whether the paper was not among the results before, and is now. */
  isNew: boolean;
  /** Null if it is among the results. */
  reason: GoneReason | null;
}

/** The last change of a paper. */
export interface StoredChange extends Pick<PaperChange, 'id' | 'reason'> {
  sequence: Sequence;
  /** With which change the paper came; 0 if the index did not keep changes yet. */
  added: Sequence;
}

/** Changes after some sequence, ascending. */
export interface ChangesPage {
  /** Names the index: another one in every index. */
  index: string;
  /** The last sequence of the index, 0 without any. */
  last: Sequence;
  changes: StoredChange[];
}

/**
 * Returns how the papers of some documents change. A paper is known by its id: if a document gets another one, the
 * paper with the old id is removed, and one with the new id comes. What is not cited, such as a count of citations,
 * changes no paper.
 */
export function changesOf(
  before: readonly PaperState[],
  after: readonly PaperState[],
): PaperChange[] {
  const stored = new Map(before.map((one) => [one.id, one]));
  const changes = after.flatMap(({ id, hash, reason }) => {
    const was = stored.get(id);
    stored.delete(id);
    const isSame = was?.reason === reason && (reason !== null || was.hash.equals(hash));
    return isSame ? [] : [{ id, isNew: reason === null && was?.reason !== null, reason }];
  });
  return [...changes, ...[...stored.keys()].map(removalOf)];
}

export function removalOf(id: DocumentId): PaperChange {
  return { id, isNew: false, reason: 'removed' };
}
