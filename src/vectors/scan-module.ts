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
  'AGFzbQEAAAABLQRgBH9/f38AYAp/f39/fX19fX9/AX9gCX9/f39/f31/fwF/YAd/f39/fX1/AAMFBAABAgMFAwEAAQczBQZt' +
  'ZW1vcnkCAAdhcnJhbmdlAAAEc2NhbgABBmxvb2tVcAACDHNjb3JlUmVjb3JkcwADCoUIBKgBAQd/QYABIAJBBHRqIQogA0EA' +
  'IAogAUEPakEEdmz8CwAgACEHAkADQCAEIAFPDQEgBEEPcSEGIAMgCiAEQQR2bGohBSAFIAZBAnRqIQggCCAHKAIANgIAIAgg' +
  'ByoCBDgCQCAHQQhqIQcgByACaiEJIAVBgAFqIAZqIQgDQCAIIActAAA6AAAgCEEQaiEIIAdBAWohByAHIAlJDQALIARBAWoh' +
  'BAwACwsLkgQDCn8BfQZ7QQ/9DyEWIAEhCiACIQ4gCCETAkADQCAOQQBMDQH9DAAAAAAAAAAAAAAAAAAAAAAhGP0MAAAAAAAA' +
  'AAAAAAAAAAAAACEZIAAhDSAKQYABaiELIAsgA0EEdGohDANAIAv9AAQAIRUgDf0ABAAgFSAW/U79DiAN/QAEECAVQQT9jQEg' +
  'Fv1O/Q79biEXIBggF/2OASEYIBkgF0EI/Y0B/Y4BIRkgDUEgaiENIAtBEGohCyALIAxJDQALIBggGUEI/YsB/ZEBIRogGiAZ' +
  '/Q0AARARAgMSEwQFFBUGBxYXIRggGiAZ/Q0ICRgZCgsaGwwNHB0ODx4fIRkgCSAY/akB/fsB/QsEACAJIBj9qgH9+wH9CwQQ' +
  'IAkgGf2pAf37Af0LBCAgCSAZ/aoB/fsB/QsEMEEAIQ8gDkECdEHAACAOQRBIGyEQA0AgCSAPaiELIAT9EyAKIA9q/QAEQCAG' +
  '/RMgBf0TIAv9AAQA/eYB/eQB/eYB/eQBIRggCyAY/QsEACAYIAf9E/1G/VMEQCAPIREgECAPQRBqIBAgD0EQakgbIRIDQCAJ' +
  'IBFqKgIAIRQgFCAHYARAIBMgCiARaigCADYCACATIBQ4AgQgE0EIaiETCyARQQRqIREgESASSA0ACwsgD0EQaiEPIA8gEEgN' +
  'AAsgCUHAAGohCSAOQRBrIQ4gDCEKDAALCyATIAhrQQN2C5kBAQV/IAghDQJAA0AgCSABTw0BIAAoAgAhCkEAIQsgCiACSQRA' +
  'IAMgCkECdGooAgAhCwsgBCALQQx2QQJ0aigCACALQf8fcWohDCAMQQBIBEAgByAGOAIAIA0gCTYCACANQQRqIQ0FIAcgBSAM' +
  'QQJ0aioCADgCAAsgAEEEaiEAIAdBBGohByAJQQFqIQkMAAsLIA0gCGtBAnYLqQEBB38CQANAIAJFDQEgASgCACEIIAEoAgQh' +
  'ByAIIAdqIQkgCSADQQR0aiEKIAAhC0EAIQ0DQCAJLQCAASEMIA0gCyAMQQ9xai0AACALIAxBBHZqLQAQamohDSALQSBqIQsg' +
  'CUEQaiEJIAkgCkkNAAsgBiABKgIIIAggB0ECdGoqAkAgBSAEIA2zlJKUkjgCACABQQxqIQEgBkEEaiEGIAJBAWshAgwACwsL';

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
    records: number,
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
/** A block, a lane and a base, as `scoreRecords` takes them. */
const RECORD_WORDS = 3;

/** A record by itself. */
export interface ScoredRecord {
  block: number;
  lane: number;
  /** Cosine of its cell's centre with the query. */
  cosine: number;
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

/** The scores of single records. Valid until the next call of the module. */
export function scoreRecords(module: ScanModule, wanted: readonly ScoredRecord[]): Float32Array {
  const { exports, codeBytes, query } = module;
  const count = wanted.length;
  const records = reserve(module, (RECORD_WORDS + 1) * count);
  const scores = records + RECORD_WORDS * count;
  const { words, floats } = module.viewsNow();
  let at = records;
  for (const { block, lane, cosine } of wanted) {
    words[at] = block;
    words[at + 1] = lane;
    floats[at + 2] = cosine;
    at += RECORD_WORDS;
  }
  exports.scoreRecords(
    TABLES_AT,
    records * WORD_BYTES,
    count,
    codeBytes,
    query.step,
    query.bias,
    scores * WORD_BYTES,
  );
  return floats.subarray(scores, scores + count);
}

/** The first of so many words behind the cells. */
function reserve({ exports, cells }: ScanModule, words: number): number {
  const first = Math.ceil(cells.end() / WORD_BYTES);
  ensureBytes(exports.memory, (first + words) * WORD_BYTES);
  return first;
}
