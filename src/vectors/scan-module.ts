/**
 * The WebAssembly module scan-list.wat and the layout of its memory:
 *
 *   lookup tables of the query | scores of all items, up to a whole block | locations of items |
 *   inverted lists | arguments and results of a call
 */
import type { Embedding } from '../types.ts';
import {
  createListMemory,
  ENTRIES_PER_BLOCK,
  type ListMemory,
  type LoadedList,
} from './list-memory.ts';
import { quantizedBytes } from './quantization.ts';
import { TABLE_BYTES, tabulate } from './query-tables.ts';
import { ensureBytes, instantiate, viewsOf, type WasmMemory } from './wasm.ts';

/** The compiled scan-list.wat. A test compiles the text and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABLwRgBH9/f38AYAp/f39/fX19fX9/AX9gCX9/f39/f31/fwF/YAl/f39/f399fX8AAwUEAAECAwUDAQABBz' +
  'YFBm1lbW9yeQIACmludGVybGVhdmUAAARzY2FuAAEGbG9va1VwAAIMc2NvcmVFbnRyaWVzAAMKkwgEqAEBB39BgAEgAkEE' +
  'dGohCiADQQAgCiABQQ9qQQR2bPwLACAAIQcCQANAIAQgAU8NASAEQQ9xIQYgAyAKIARBBHZsaiEFIAUgBkECdGohCCAIIA' +
  'coAgA2AgAgCCAHKgIEOAJAIAdBCGohByAHIAJqIQkgBUGAAWogBmohCANAIAggBy0AADoAACAIQRBqIQggB0EBaiEHIAcg' +
  'CUkNAAsgBEEBaiEEDAALCwuSBAMKfwF9BntBD/0PIRYgASEKIAIhDiAIIRMCQANAIA5BAEwNAf0MAAAAAAAAAAAAAAAAAA' +
  'AAACEY/QwAAAAAAAAAAAAAAAAAAAAAIRkgACENIApBgAFqIQsgCyADQQR0aiEMA0AgC/0ABAAhFSAN/QAEACAVIBb9Tv0O' +
  'IA39AAQQIBVBBP2NASAW/U79Dv1uIRcgGCAX/Y4BIRggGSAXQQj9jQH9jgEhGSANQSBqIQ0gC0EQaiELIAsgDEkNAAsgGC' +
  'AZQQj9iwH9kQEhGiAaIBn9DQABEBECAxITBAUUFQYHFhchGCAaIBn9DQgJGBkKCxobDA0cHQ4PHh8hGSAJIBj9qQH9+wH9' +
  'CwQAIAkgGP2qAf37Af0LBBAgCSAZ/akB/fsB/QsEICAJIBn9qgH9+wH9CwQwQQAhDyAOQQJ0QcAAIA5BEEgbIRADQCAJIA' +
  '9qIQsgBP0TIAogD2r9AARAIAb9EyAF/RMgC/0ABAD95gH95AH95gH95AEhGCALIBj9CwQAIBggB/0T/Ub9UwRAIA8hESAQ' +
  'IA9BEGogECAPQRBqSBshEgNAIAkgEWoqAgAhFCAUIAdgBEAgEyAKIBFqKAIANgIAIBMgFDgCBCATQQhqIRMLIBFBBGohES' +
  'ARIBJIDQALCyAPQRBqIQ8gDyAQSA0ACyAJQcAAaiEJIA5BEGshDiAMIQoMAAsLIBMgCGtBA3YLmQEBBX8gCCENAkADQCAJ' +
  'IAFPDQEgACgCACEKQQAhCyAKIAJJBEAgAyAKQQJ0aigCACELCyAEIAtBDHZBAnRqKAIAIAtB/x9xaiEMIAxBAEgEQCAHIA' +
  'Y4AgAgDSAJNgIAIA1BBGohDQUgByAFIAxBAnRqKgIAOAIACyAAQQRqIQAgB0EEaiEHIAlBAWohCQwACwsgDSAIa0ECdgu3' +
  'AQEHfwJAA0AgBEUNASABKAIAIQogAigCACEJIAogCWohCyALIAVBBHRqIQwgACENQQAhDwNAIAstAIABIQ4gDyANIA5BD3' +
  'FqLQAAIA0gDkEEdmotABBqaiEPIA1BIGohDSALQRBqIQsgCyAMSQ0ACyAIIAMqAgAgCiAJQQJ0aioCQCAHIAYgD7OUkpSS' +
  'OAIAIAFBBGohASACQQRqIQIgA0EEaiEDIAhBBGohCCAEQQFrIQQMAAsLCw==';

interface Exports {
  memory: WasmMemory;
  interleave(entries: number, count: number, codeBytes: number, blocks: number): void;
  scan(
    tables: number,
    blocks: number,
    count: number,
    codeBytes: number,
    base: number,
    step: number,
    bias: number,
    threshold: number,
    kept: number,
    scores: number,
  ): number;
  lookUp(
    items: number,
    count: number,
    itemsMax: number,
    locations: number,
    starts: number,
    scores: number,
    otherwise: number,
    out: number,
    unknown: number,
  ): number;
  scoreEntries(
    tables: number,
    blocks: number,
    lanes: number,
    cosines: number,
    count: number,
    codeBytes: number,
    step: number,
    bias: number,
    out: number,
  ): void;
}

const WORD_BYTES = 4;
const TABLES_AT = 0;
/** The words of a kept entry: its item and its score. */
const KEPT_WORDS = 2;

/** Single entries: the block of each, its lane in the block, and its centroid's cosine. */
export interface SelectedEntries {
  blocks: Uint32Array;
  lanes: Uint32Array;
  cosines: Float32Array;
}

export interface ScanModuleOptions {
  dimensions: number;
  /** Items are less than this. */
  itemsMax: number;
  /** Bytes of lists to keep. Other lists are copied for each query. */
  bytesMax: number;
}

/** The scores of items, in the order of the items. */
export interface LookedUpScores {
  scores: Float32Array;
  /** The positions of the items whose lists were not scanned. */
  unknown: Uint32Array;
}

export interface ScanModule {
  readonly exports: Exports;
  readonly lists: ListMemory;
  readonly codeBytes: number;
  readonly itemsMax: number;
  /** The first byte of the scores. */
  readonly scoresAt: number;
  /** The scale of the current query's lookup tables. */
  query: { step: number; bias: number };
  /** Returns views of the whole memory. */
  viewsNow: () => { bytes: Uint8Array; words: Uint32Array; floats: Float32Array };
}

/** Opens a new module with empty memory. */
export function openScanModule({ dimensions, itemsMax, bytesMax }: ScanModuleOptions): ScanModule {
  const exports = instantiate(COMPILED_BASE64) as Exports;
  const { memory, interleave } = exports;
  const codeBytes = quantizedBytes(dimensions, 2);
  const scoresAt = codeBytes * TABLE_BYTES;
  const start = scoresAt + (itemsMax + ENTRIES_PER_BLOCK) * WORD_BYTES;
  const lists = createListMemory({ memory, interleave, codeBytes, start, itemsMax, bytesMax });
  const viewsNow = viewsOf(memory, (buffer) => ({
    bytes: new Uint8Array(buffer),
    words: new Uint32Array(buffer),
    floats: new Float32Array(buffer),
  }));
  return { exports, lists, codeBytes, itemsMax, scoresAt, query: { step: 0, bias: 0 }, viewsNow };
}

export function setQuery(module: ScanModule, vector: Embedding): void {
  const { tables, ...query } = tabulate(vector, module.codeBytes);
  module.viewsNow().bytes.set(tables);
  module.query = query;
}

/** Scans a list. Its scores go to index `to` and those behind it. */
export function scanList(
  module: ScanModule,
  { at, count }: LoadedList,
  { cosine, threshold, to }: { cosine: number; threshold: number; to: number },
  visit: (item: number, score: number) => void,
): void {
  const { exports, codeBytes, scoresAt, query } = module;
  const kept = reserve(module, count * KEPT_WORDS);
  const keptCount = exports.scan(
    TABLES_AT,
    at,
    count,
    codeBytes,
    cosine,
    query.step,
    query.bias,
    threshold,
    kept * WORD_BYTES,
    scoresAt + to * WORD_BYTES,
  );
  const { words, floats } = module.viewsNow();
  for (let at = kept; at < kept + keptCount * KEPT_WORDS; at += KEPT_WORDS) {
    visit(words[at] as number, floats[at + 1] as number);
  }
}

/** Returns the scores of items in scanned lists, `otherwise` for all others. */
export function lookUpScores(
  module: ScanModule,
  wanted: ArrayLike<number>,
  otherwise: number,
): LookedUpScores {
  const { exports, lists, itemsMax, scoresAt } = module;
  const count = wanted.length;
  const items = reserve(module, 3 * count);
  const scores = items + count;
  const unknown = scores + count;
  const { words, floats } = module.viewsNow();
  words.set(wanted, items);
  const unknownCount = exports.lookUp(
    items * WORD_BYTES,
    count,
    itemsMax,
    lists.locations.locationsAt,
    lists.locations.startsAt,
    scoresAt,
    otherwise,
    scores * WORD_BYTES,
    unknown * WORD_BYTES,
  );
  return {
    scores: floats.slice(scores, unknown),
    unknown: words.slice(unknown, unknown + unknownCount),
  };
}

/** Returns the scores of single entries; NaN if the cosine is NaN. */
export function scoreEntries(
  module: ScanModule,
  { blocks, lanes, cosines }: SelectedEntries,
): Float32Array {
  const { exports, codeBytes, query } = module;
  const count = blocks.length;
  const blocksAt = reserve(module, 4 * count);
  const lanesAt = blocksAt + count;
  const cosinesAt = lanesAt + count;
  const scoresAt = cosinesAt + count;
  const { words, floats } = module.viewsNow();
  words.set(blocks, blocksAt);
  words.set(lanes, lanesAt);
  floats.set(cosines, cosinesAt);
  exports.scoreEntries(
    TABLES_AT,
    blocksAt * WORD_BYTES,
    lanesAt * WORD_BYTES,
    cosinesAt * WORD_BYTES,
    count,
    codeBytes,
    query.step,
    query.bias,
    scoresAt * WORD_BYTES,
  );
  return floats.slice(scoresAt, scoresAt + count);
}

/** Returns the index of the first of so many free words behind the lists. */
function reserve({ exports, lists }: ScanModule, words: number): number {
  const first = Math.ceil(lists.end() / WORD_BYTES);
  ensureBytes(exports.memory, (first + words) * WORD_BYTES);
  return first;
}
