/**
 * scan-records.wat with its memory: the tables of a query, the scores of all items and of a last
 * block, the items' places, the cells, and behind them what goes into a call and comes out of it.
 */
import type { Embedding } from '../types.ts';
import { type CellMemory, createCellMemory, type Place, RECORDS_PER_BLOCK } from './cell-memory.ts';
import { packedBytes } from './codes.ts';
import { TABLE_BYTES, tabulate } from './query-tables.ts';
import { ensureBytes, instantiate, viewsOf, type WasmMemory } from './wasm.ts';

/** scan-records.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABLwRgBH9/f38AYAp/f39/fX19fX9/AX9gCX9/f39/f31/fwF/YAl/f39/f399fX8AAwUEAAECAwUDAQABBzMF' +
  'Bm1lbW9yeQIAB2FycmFuZ2UAAARzY2FuAAEGbG9va1VwAAIMc2NvcmVSZWNvcmRzAAMKkwgEqAEBB39BgAEgAkEEdGohCiAD' +
  'QQAgCiABQQ9qQQR2bPwLACAAIQcCQANAIAQgAU8NASAEQQ9xIQYgAyAKIARBBHZsaiEFIAUgBkECdGohCCAIIAcoAgA2AgAg' +
  'CCAHKgIEOAJAIAdBCGohByAHIAJqIQkgBUGAAWogBmohCANAIAggBy0AADoAACAIQRBqIQggB0EBaiEHIAcgCUkNAAsgBEEB' +
  'aiEEDAALCwuSBAMKfwF9BntBD/0PIRYgASEKIAIhDiAIIRMCQANAIA5BAEwNAf0MAAAAAAAAAAAAAAAAAAAAACEY/QwAAAAA' +
  'AAAAAAAAAAAAAAAAIRkgACENIApBgAFqIQsgCyADQQR0aiEMA0AgC/0ABAAhFSAN/QAEACAVIBb9Tv0OIA39AAQQIBVBBP2N' +
  'ASAW/U79Dv1uIRcgGCAX/Y4BIRggGSAXQQj9jQH9jgEhGSANQSBqIQ0gC0EQaiELIAsgDEkNAAsgGCAZQQj9iwH9kQEhGiAa' +
  'IBn9DQABEBECAxITBAUUFQYHFhchGCAaIBn9DQgJGBkKCxobDA0cHQ4PHh8hGSAJIBj9qQH9+wH9CwQAIAkgGP2qAf37Af0L' +
  'BBAgCSAZ/akB/fsB/QsEICAJIBn9qgH9+wH9CwQwQQAhDyAOQQJ0QcAAIA5BEEgbIRADQCAJIA9qIQsgBP0TIAogD2r9AARA' +
  'IAb9EyAF/RMgC/0ABAD95gH95AH95gH95AEhGCALIBj9CwQAIBggB/0T/Ub9UwRAIA8hESAQIA9BEGogECAPQRBqSBshEgNA' +
  'IAkgEWoqAgAhFCAUIAdgBEAgEyAKIBFqKAIANgIAIBMgFDgCBCATQQhqIRMLIBFBBGohESARIBJIDQALCyAPQRBqIQ8gDyAQ' +
  'SA0ACyAJQcAAaiEJIA5BEGshDiAMIQoMAAsLIBMgCGtBA3YLmQEBBX8gCCENAkADQCAJIAFPDQEgACgCACEKQQAhCyAKIAJJ' +
  'BEAgAyAKQQJ0aigCACELCyAEIAtBDHZBAnRqKAIAIAtB/x9xaiEMIAxBAEgEQCAHIAY4AgAgDSAJNgIAIA1BBGohDQUgByAF' +
  'IAxBAnRqKgIAOAIACyAAQQRqIQAgB0EEaiEHIAlBAWohCQwACwsgDSAIa0ECdgu3AQEHfwJAA0AgBEUNASABKAIAIQogAigC' +
  'ACEJIAogCWohCyALIAVBBHRqIQwgACENQQAhDwNAIAstAIABIQ4gDyANIA5BD3FqLQAAIA0gDkEEdmotABBqaiEPIA1BIGoh' +
  'DSALQRBqIQsgCyAMSQ0ACyAIIAMqAgAgCiAJQQJ0aioCQCAHIAYgD7OUkpSSOAIAIAFBBGohASACQQRqIQIgA0EEaiEDIAhB' +
  'BGohCCAEQQFrIQQMAAsLCw==';

interface Exports {
  memory: WasmMemory;
  arrange(records: number, count: number, codeBytes: number, blocks: number): void;
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
    places: number,
    starts: number,
    scores: number,
    otherwise: number,
    out: number,
    unknown: number,
  ): number;
  scoreRecords(
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
/** An item and its score, as a scan hands them on. */
const KEPT_WORDS = 2;

/** Single records, each by its block, its lane there, and its centre's cosine with the query. */
export interface SingleRecords {
  blocks: Uint32Array;
  lanes: Uint32Array;
  cosines: Float32Array;
}

export interface ScanModuleOptions {
  dimensions: number;
  /** Items are below it. */
  itemsMax: number;
  /** Bytes of cells that are kept; further ones are copied for each query. */
  bytesMax: number;
}

/** The scores of items, in their order. */
export interface LookedUpScores {
  scores: Float32Array;
  /** The positions of the items in cells that were not scanned. */
  unknown: Uint32Array;
}

export interface ScanModule {
  readonly exports: Exports;
  readonly cells: CellMemory;
  readonly codeBytes: number;
  readonly itemsMax: number;
  /** The first byte of the scores. */
  readonly scoresAt: number;
  /** The query that was taken. */
  query: { step: number; bias: number };
  /** The memory as large as it is now. */
  viewsNow: () => { bytes: Uint8Array; words: Uint32Array; floats: Float32Array };
}

/** A module of its own, with nothing in its memory. */
export function openScanModule({ dimensions, itemsMax, bytesMax }: ScanModuleOptions): ScanModule {
  const exports = instantiate(COMPILED_BASE64) as Exports;
  const { memory, arrange } = exports;
  const codeBytes = packedBytes(dimensions, 2);
  const scoresAt = codeBytes * TABLE_BYTES;
  const start = scoresAt + (itemsMax + RECORDS_PER_BLOCK) * WORD_BYTES;
  const cells = createCellMemory({ memory, arrange, codeBytes, start, itemsMax, bytesMax });
  const viewsNow = viewsOf(memory, (buffer) => ({
    bytes: new Uint8Array(buffer),
    words: new Uint32Array(buffer),
    floats: new Float32Array(buffer),
  }));
  return { exports, cells, codeBytes, itemsMax, scoresAt, query: { step: 0, bias: 0 }, viewsNow };
}

export function takeQuery(module: ScanModule, vector: Embedding): void {
  const { tables, ...query } = tabulate(vector, module.codeBytes);
  module.viewsNow().bytes.set(tables);
  module.query = query;
}

/** Scans a cell; its scores become the `to`th one and those behind it. */
export function scanCell(
  module: ScanModule,
  { at, count }: Place,
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

/** The scores of items that were scanned, `otherwise` for all others. */
export function lookUpScores(
  module: ScanModule,
  wanted: ArrayLike<number>,
  otherwise: number,
): LookedUpScores {
  const { exports, cells, itemsMax, scoresAt } = module;
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
    cells.places.placesAt,
    cells.places.startsAt,
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

/** The scores of single records; NaN where the cosine is that. */
export function scoreRecords(
  module: ScanModule,
  { blocks, lanes, cosines }: SingleRecords,
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
  exports.scoreRecords(
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

/** The first of so many words behind the cells. */
function reserve({ exports, cells }: ScanModule, words: number): number {
  const first = Math.ceil(cells.end() / WORD_BYTES);
  ensureBytes(exports.memory, (first + words) * WORD_BYTES);
  return first;
}
