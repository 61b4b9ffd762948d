/** Where a list of changes begins: at a time, or where an earlier list ended. Pure. */
import type { Sequence } from '../../index/records/paper-changes.ts';

/** What a reader of an index has seen. */
export interface ChangesCursor {
  /** The id of the index. */
  index: string;
  /** The reader has all papers that came until then. After it, a paper is new to the reader. */
  base: Sequence;
  /** The reader has seen all changes until then. */
  after: Sequence;
}

const CURSOR = /^([0-9a-f-]{32,36})\.(\d{1,16})\.(\d{1,16})$/;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** What a text must match to be a cursor, and to be a time. */
export const cursorPattern = CURSOR.source;
export const timePattern = TIME.source;

/** Returns the text of a cursor, which `parseCursor` reads. */
export function formatCursor({ index, base, after }: ChangesCursor): string {
  return `${index}.${base}.${after}`;
}

/** Returns undefined for a text that is no cursor. */
export function parseCursor(text: string): ChangesCursor | undefined {
  const [, index, base, after] = CURSOR.exec(text) ?? [];
  return index === undefined ? undefined : { index, base: Number(base), after: Number(after) };
}

/** Returns a date or a time of ISO 8601 in milliseconds since 1970; undefined for another text. */
export function parseTime(text: string): number | undefined {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
