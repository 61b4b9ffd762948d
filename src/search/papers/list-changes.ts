/** Lists the papers that were added, changed, or withdrawn, for readers who follow an index. */
import { VerbatimError } from '../../errors.ts';
import type { IndexView } from '../../index/ports/index-source.ts';
import {
  type GoneReason,
  SEQUENCES_PER_MS,
  type StoredChange,
} from '../../index/records/paper-changes.ts';
import type { DocumentId } from '../../types.ts';
import { type ChangesCursor, formatCursor } from './changes-cursor.ts';

/** The most changes in a list. */
export const CHANGES_MAX = 1_000;

export const CHANGES_DEFAULT = 100;

export interface ChangesRequest {
  /** A time in milliseconds since 1970, or the cursor of an earlier list. */
  changesSince: number | ChangesCursor;
  limit: number;
}

/** The last change of a paper, with the names that results have. */
export interface ListedChange {
  d: DocumentId;
  kind: 'added' | 'changed' | 'withdrawn';
  /** Why it was withdrawn. */
  reason?: GoneReason;
  /** In UTC, as in ISO 8601. */
  at: string;
  /** Title and year. Absent if the index does not have the paper. */
  t?: string;
  y?: number;
}

export interface ListedChanges {
  /** In the order in which they were written. */
  changes: ListedChange[];
  /** Where the next list begins. */
  cursor: string;
  /** Whether there are more changes now. */
  more: boolean;
}

/** Rejects with `cursor_over` if the cursor is not one of this index in a state that it had. */
export async function listChanges(
  { changesSince, limit }: ChangesRequest,
  view: Pick<IndexView, 'changes' | 'withIds' | 'documents'>,
): Promise<ListedChanges> {
  const start = typeof changesSince === 'number' ? beginningAt(changesSince) : changesSince;
  const { index, last, changes: found } = await view.changes(start.after, limit + 1);
  if (start.index !== undefined && (start.index !== index || start.after > last)) {
    throw new VerbatimError('cursor_over');
  }
  const more = found.length > limit;
  const changes = found.slice(0, limit);
  const after = changes.at(-1)?.sequence ?? last;
  // Until the reader has seen everything, what came since the first of its lists is new to it.
  const cursor = formatCursor({ index, base: more ? start.base : after, after });
  const cited = await readCited(view, changes);
  return { changes: changes.map((one) => describe(one, start, cited)), cursor, more };
}

function beginningAt(time: number): Omit<ChangesCursor, 'index'> & { index?: undefined } {
  const before = Math.max(0, time * SEQUENCES_PER_MS - 1);
  return { base: before, after: before };
}

type Cited = ReadonlyMap<DocumentId, Pick<ListedChange, 't' | 'y'>>;

/** Reads title and year of the papers that the index has, but for those that are damaged. */
async function readCited(
  view: Pick<IndexView, 'withIds' | 'documents'>,
  changes: readonly StoredChange[],
): Promise<Cited> {
  const numbers = await view.withIds(changes.map(({ id }) => id));
  const documents = await view.documents(numbers.filter((number) => number !== undefined));
  return new Map(
    documents.flatMap((one) => (one ? [[one.id, { t: one.title, y: one.year }] as const] : [])),
  );
}

function describe(
  { id, sequence, added, reason }: StoredChange,
  { base }: Pick<ChangesCursor, 'base'>,
  cited: Cited,
): ListedChange {
  const kind = added > base ? 'added' : 'changed';
  return {
    d: id,
    ...(reason === null ? { kind } : { kind: 'withdrawn', reason }),
    at: new Date(Math.floor(sequence / SEQUENCES_PER_MS)).toISOString(),
    ...cited.get(id),
  };
}
