/** Pages of documents, the newest first. Pure. */
import type { DocumentNumber } from '../../types.ts';

/** The place of a document in the order: its year, then its number. */
export type Position = number;

const NUMBERS = 2 ** 32;

export interface Page {
  /** Where the page before ended. Absent: the first page. */
  after?: Position | undefined;
  most: number;
}

export interface Placed {
  document: DocumentNumber;
  position: Position;
}

function positionOf(year: number, document: DocumentNumber): Position {
  return year * NUMBERS + document;
}

/** Returns year and number of a place. */
export function placeOf(position: Position): { year: number; document: DocumentNumber } {
  return { year: Math.floor(position / NUMBERS), document: position % NUMBERS };
}

/** Returns a page of documents by falling position. It takes one pass, however many they are. */
export function newestFirst(
  documents: ArrayLike<DocumentNumber>,
  yearOf: (document: DocumentNumber) => number,
  { after = Infinity, most }: Page,
): Placed[] {
  const page: Position[] = [];
  let least = -Infinity;
  // Backward, because higher numbers tend to be newer: most of the others then belong to no page.
  for (let index = documents.length - 1; index >= 0; index--) {
    const document = documents[index] as DocumentNumber;
    const position = positionOf(yearOf(document), document);
    if (position >= after || position <= least) continue;
    const at = page.findIndex((other) => other < position);
    page.splice(at === -1 ? page.length : at, 0, position);
    if (page.length > most) page.pop();
    if (page.length === most) least = page.at(-1) ?? Infinity;
  }
  return page.map((position) => ({ document: placeOf(position).document, position }));
}
