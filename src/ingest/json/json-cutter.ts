/**
 * Cuts records out of JSON that is not in lines: an array, the list in an API response, or objects
 * one after the other. Each record is yielded as bytes, so a bad or long one costs only itself. A
 * parser of the whole file would stop there.
 *
 *   {"status": "ok", "items": [ {...}, {...}, ... ], "next": "..."}
 *                               record record
 *
 * An array may hold several such responses, which is how programs keep the pages of a search.
 */
import type { SkipReason } from '../read/packed-format.ts';
import { ENVELOPE_CHARACTERS_MAX, isZoteroLibrary, listAfter } from './list-envelope.ts';

/** A record with its number, counted from 1. */
export type Cut = { number: number } & (
  | { content: Buffer }
  | { problem: string; reason: SkipReason }
);

interface Cutter {
  /** Returns the records that end in this chunk. */
  push(chunk: Buffer): Cut[];
  /** Where the text breaks off; undefined if every bracket is closed. */
  brokenOffAt(): string | undefined;
  /** The start of the unfinished record, within the byte limit. */
  unfinished(): Buffer;
}

const [QUOTE, BACKSLASH, COMMA, NEWLINE] = [0x22, 0x5c, 0x2c, 0x0a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

interface State {
  bytesMax: number;
  number: number;
  /** Open brackets in total. */
  depth: number;
  /** Open brackets around a record; Infinity after the list, where no records follow. */
  recordDepth: number;
  /** Open brackets around an object that may hold a list: 1 in an array at the top, else 0. */
  outerDepth: number;
  isInString: boolean;
  isEscaped: boolean;
  /** State of the current record. */
  isInRecord: boolean;
  parts: Buffer[];
  bytes: number;
  /** Whether the current object may be the one around the list. */
  mayHoldList: boolean;
  /** Whether it is a Better BibTeX file. */
  isLibrary: boolean;
}

/** Creates a cutter. Anything in the position of a record is a record. */
export function createJsonCutter(bytesMax: number): Cutter {
  const state: State = {
    bytesMax,
    number: 0,
    depth: 0,
    recordDepth: 0,
    outerDepth: 0,
    isInString: false,
    isEscaped: false,
    isInRecord: false,
    parts: [],
    bytes: 0,
    mayHoldList: false,
    isLibrary: false,
  };
  return {
    push: (chunk) => cutChunk(state, chunk),
    brokenOffAt: () => {
      if (state.isInRecord) return `within record ${state.number}`;
      return state.depth > 0 ? `behind record ${state.number}, before its end` : undefined;
    },
    unfinished: () => Buffer.concat(state.parts),
  };
}

function cutChunk(state: State, chunk: Buffer): Cut[] {
  const cuts: Cut[] = [];
  let start = 0;
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if (state.isInString) {
      readString(state, byte);
      continue;
    }
    if (endsValue(state, byte)) {
      cuts.push(cut(state, chunk.subarray(start, at)));
    }
    if (!state.isInRecord && startsRecord(state, byte)) {
      const mayHoldList = state.depth === state.outerDepth;
      Object.assign(state, { isInRecord: true, mayHoldList, isLibrary: false });
      state.number++;
      start = at;
    }
    const isList = byte === OPEN_ARRAY && opensList(state, chunk.subarray(start, at));
    readStructure(state, byte);
    if (isList) enterList(state);
    const isClosed = byte === CLOSE_OBJECT || byte === CLOSE_ARRAY;
    if (state.isInRecord && isClosed && state.depth === state.recordDepth) {
      cuts.push(cut(state, chunk.subarray(start, at + 1)));
    }
  }
  if (state.isInRecord) keep(state, chunk.subarray(start));
  return cuts;
}

function readString(state: State, byte: number): void {
  if (state.isEscaped) state.isEscaped = false;
  else if (byte === BACKSLASH) state.isEscaped = true;
  else if (byte === QUOTE) state.isInString = false;
}

function readStructure(state: State, byte: number): void {
  if (byte === QUOTE) {
    state.isInString = true;
  } else if (byte === OPEN_OBJECT) {
    state.depth++;
  } else if (byte === OPEN_ARRAY) {
    state.depth++;
    if (!state.isInRecord && state.depth === 1) state.recordDepth = state.outerDepth = 1;
  } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
    state.depth = Math.max(0, state.depth - 1);
    if (state.depth === 0) state.outerDepth = 0;
    if (state.depth === state.outerDepth) state.recordDepth = state.depth;
    else if (state.depth < state.recordDepth) state.recordDepth = Number.POSITIVE_INFINITY;
  }
}

/** Whether an array that starts after this part of the chunk is the list of records. */
function opensList(state: State, part: Buffer): boolean {
  if (!state.mayHoldList || !state.isInRecord) return false;
  const isWithin = state.depth > state.outerDepth + 1;
  // A library has many collections. Looking at all of it in each would take long.
  if (state.isLibrary && isWithin) return false;
  const bytesMax = state.isLibrary ? state.bytesMax : 4 * ENVELOPE_CHARACTERS_MAX;
  state.mayHoldList = state.bytes + part.length <= bytesMax;
  if (!state.mayHoldList) return false;
  const text = Buffer.concat([...state.parts, part]).toString();
  state.isLibrary = isZoteroLibrary(text);
  const list = listAfter(text, isWithin);
  if (list === 'no') state.mayHoldList = false;
  return list === 'yes';
}

/** The supposed record turns out to be the object around the list. */
function enterList(state: State): void {
  state.recordDepth = state.depth;
  state.number--;
  forget(state);
}

/** Whether a record that is neither object nor array ends before this byte. */
function endsValue(state: State, byte: number): boolean {
  if (!state.isInRecord || state.depth !== state.recordDepth) return false;
  if (state.recordDepth === 0) return byte === NEWLINE;
  return byte === COMMA || byte === CLOSE_ARRAY;
}

function startsRecord(state: State, byte: number): boolean {
  if (state.depth !== state.recordDepth || byte <= 0x20 || byte === COMMA) return false;
  if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) return false;
  // A top-level array holds the records. The first bytes may be a byte order mark.
  return state.recordDepth > 0 || (byte !== OPEN_ARRAY && byte < 0x80);
}

function cut(state: State, last: Buffer): Cut {
  keep(state, last);
  const { number, bytes, bytesMax, parts } = state;
  forget(state);
  if (bytes <= bytesMax) return { number, content: Buffer.concat(parts) };
  const problem = `the record has ${bytes} bytes, at most ${bytesMax} are read`;
  return { number, problem, reason: 'too_long' };
}

function keep(state: State, part: Buffer): void {
  state.bytes += part.length;
  if (state.bytes <= state.bytesMax) state.parts.push(part);
  else state.parts = [];
}

function forget(state: State): void {
  Object.assign(state, { isInRecord: false, parts: [], bytes: 0, mayHoldList: false });
}
