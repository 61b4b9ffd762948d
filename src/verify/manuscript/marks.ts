/**
 * Marks in the text of a manuscript: the readers put them in place of citations and before the lines of block
 * quotes, and `find-quotes.ts` reads them. They are private-use characters. Line feeds stay where they are,
 * so lines can be counted. Pure.
 */

const START = '\ue000';
const END = '\ue001';
const BETWEEN = '\ue002';
/** Stands before each line of a block quote. */
export const BLOCK = '\ue003';

const RESERVED = /[\ue000-\ue003]/g;
const CITATION = /\ue000([^\ue000\ue001]*)\ue001/g;

/** A citation in a text. */
export interface CitationMark {
  start: number;
  end: number;
  /** The keys of what it cites. */
  keys: string[];
}

/** The text without characters that would be taken for marks, and with line feeds alone between lines. */
export function prepareText(text: string): string {
  return text.replace(RESERVED, '\ufffd').replace(/\r\n?/g, '\n');
}

/** The mark of a citation that stood there as `written`, with its line feeds. */
export function citationMark(keys: readonly string[], written: string): string {
  return `${START}${keys.join(BETWEEN)}${END}${lineFeedsOf(written)}`;
}

/** The citations of a text, in order. */
export function citationsIn(text: string): CitationMark[] {
  return [...text.matchAll(CITATION)].map(({ 0: { length }, 1: keys = '', index }) => ({
    start: index,
    end: index + length,
    keys: keys.split(BETWEEN),
  }));
}

/** The text without marks, in one line. */
export function withoutMarks(text: string): string {
  return text.replace(CITATION, '').replace(RESERVED, '').replace(/\s+/g, ' ').trim();
}

/** The line feeds of a text that is left out. */
export function lineFeedsOf(text: string): string {
  return text.replace(/[^\n]+/g, '');
}
