/**
 * Cuts the records out of JSON that is not in lines: of one array, of the list in the object that
 * an API answers with, of objects that stand one after the other. Each is handed on as the bytes
 * that it has, so that one that is bad, or too long, costs only itself; a parser of the whole would
 * stop.
 *
 *   {"status": "ok", "items": [ {...}, {...}, ... ], "next": "..."}
 *                               record record
 *
 * Several such answers may stand in one array, as programs keep the pages of a search.
 */
import type { SkipReason } from '../read/format.ts';
import { ENVELOPE_CHARACTERS_MAX, listAfter } from './list-envelope.ts';

/** A record by its number, counted from 1. */
export type Cut = { number: number } & (
  | { content: Buffer }
  | { problem: string; reason: SkipReason }
);

interface Cutter {
  /** The records that end in this chunk. */
  push(chunk: Buffer): Cut[];
  /** Where the text breaks off, if it ends before all that it opened is closed. */
  brokenOffAt(): string | undefined;
  /** What there is of the record that has not ended, with no more than the bytes allowed. */
  unfinished(): Buffer;
}

const [QUOTE, BACKSLASH, COMMA, NEWLINE] = [0x22, 0x5c, 0x2c, 0x0a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

interface State {
  bytesMax: number;
  number: number;
  /** Open brackets in all. */
  depth: number;
  /** Open brackets around a record; infinite behind the list, where no more come. */
  recordDepth: number;
  /** Open brackets around an object that may hold a list: 1 in an array at the top, else 0. */
  outerDepth: number;
  isInString: boolean;
  isEscaped: boolean;
  /** The record under way. */
  isInRecord: boolean;
  parts: Buffer[];
  bytes: number;
  /** Whether the object under way may be the one around the list. */
  mayHoldList: boolean;
}

/** Bytes in, records out. A record is anything that stands where a record is expected. */
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
      Object.assign(state, { isInRecord: true, mayHoldList: state.depth === state.outerDepth });
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

/** Whether an array that starts behind this part of the chunk is the list of records. */
function opensList(state: State, part: Buffer): boolean {
  if (!state.mayHoldList || !state.isInRecord) return false;
  state.mayHoldList = state.bytes + part.length <= 4 * ENVELOPE_CHARACTERS_MAX;
  if (!state.mayHoldList) return false;
  const list = listAfter(Buffer.concat([...state.parts, part]).toString());
  if (list === 'no') state.mayHoldList = false;
  return list === 'yes';
}

/** What was taken for a record is the object around the list. */
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
  // An array at the top is what holds the records; the first bytes may be a byte order mark.
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
