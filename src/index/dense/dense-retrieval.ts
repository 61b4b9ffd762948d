/**
 * Dense retrieval: finds the documents whose own vectors are nearest to the query's. It probes the
 * inverted lists with the nearest centroids until it has seen enough documents (IVF; Sivic and
 * Zisserman, "Video Google", 2003; Jégou, Douze and Schmid, "Product quantization for nearest
 * neighbor search", 2011). A small index is scanned exactly.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber, Embedding, Ranking } from '../../types.ts';
import { dotProductsOf } from '../../vectors/dot-products.ts';
import { type Best, keepBest } from '../../vectors/keep-best.ts';
import {
  createListScanner,
  type ListScanner,
  type ListsOfItems,
} from '../../vectors/list-scanner.ts';
import { quantize, quantizedBytes } from '../../vectors/quantization.ts';
import type { LookedUpScores } from '../../vectors/scan-module.ts';
import type { FlaggedDocuments } from '../facets/allowed-documents.ts';
import { prepareReadLastDocument, readRevision } from '../index-facts.ts';
import { OWN_VECTOR_SQL } from './embeddings.ts';
import { openCentroids } from './stored-centroids.ts';

export interface DenseLimits {
  /**
   * Documents to score. Lists are probed whole until there are as many. In an index of more than
   * 160,000 documents it grows with their number to the power of 0.4.
   */
  denseScannedMax: number;
  /** The same with a filter, which scans more because it leaves out some. */
  filteredDenseScannedMax: number;
  /** At most this many allowed documents are compared one by one, without inverted lists. */
  filteredExactMax: number;
  /** Centroids to compare with the query. In a larger index, those of the nearest groups. */
  centroidsComparedMax: number;
  /** An index of at most this many documents is scanned exactly, without inverted lists. */
  exactScanMax: number;
  /** Bytes of inverted lists to keep in memory. */
  listBytesCachedMax: number;
}

export interface DenseRetriever {
  /** Finds the nearest documents, among the allowed ones if they are given. */
  retrieve(query: Embedding, most: number, allowed?: FlaggedDocuments): DenseMatches;
  /** Scans all documents exactly with sqlite-vec: slow, and the reference for `retrieve`. */
  scan(query: Embedding, most: number): Ranking;
}

export interface DenseMatches {
  /** The nearest documents; the score approximates the cosine, as the 2-bit entries tell it. */
  nearest: Ranking;
  /**
   * Returns the same score of any documents, in their order. Documents in lists that were not
   * probed are `unknown` and get the cosine of the last probed centroid. Valid until the next
   * retrieval.
   */
  scoresOf(documents: ArrayLike<DocumentNumber>): LookedUpScores;
  /** Returns the same score, computed also for documents in other lists: a microsecond each. */
  scoresIn(documents: readonly DocumentNumber[]): Float32Array;
}

/** `dimensions` are those of the index's model. */
export function createDenseRetriever(
  db: Connection,
  dimensions: number,
  limits: DenseLimits,
): DenseRetriever {
  const centroids = openCentroids(db, { dimensions, comparedMax: limits.centroidsComparedMax });
  const scannerNow = createScannerReader(db, dimensions, limits.listBytesCachedMax);
  const readList = db.prepare('SELECT list FROM document_lists WHERE document = ?').pluck();
  const readTotal = db.prepare("SELECT value FROM index_facts WHERE name = 'documents'").pluck();
  const scan = createScan(db, dimensions);
  const compareEach = createComparison(db, dimensions);
  return {
    scan,
    retrieve(query, most, allowed) {
      const total = readTotal.get() as number;
      if (total <= limits.exactScanMax) {
        const all = scan(query, total);
        return exactMatches(allowed === undefined ? all : amongAllowed(all, allowed), most);
      }
      if (allowed !== undefined && allowed.count <= limits.filteredExactMax) {
        return exactMatches(compareEach(query, numbersOf(allowed)), most);
      }
      const scanner = scannerNow();
      scanner.startQuery(query);
      const compared = centroids.now().compare(dotProductsOf(query));
      const best = keepBest(most);
      const add = allowed === undefined ? best.add : addAllowed(best, allowed);
      let left = scannedMax(limits, total, allowed);
      let farthest = 0;
      for (const near of compared.inOrder()) {
        left -= scanner.scan(near, best.worst(), add);
        farthest = near.cosine;
        // A filter may allow few documents near the query. Then it goes on until there are enough.
        if (left <= 0 && (allowed === undefined || best.worst() > Number.NEGATIVE_INFINITY)) break;
      }
      const lists: ListsOfItems = {
        listOf: (document) => scanner.listOf(document) ?? (readList.get(document) as number),
        cosineOf: (list) => compared.cosineOf(list) as number,
      };
      return {
        nearest: best.items().map(({ item, score }) => ({ document: item, score })),
        scoresOf: (documents) => scanner.scoresOf(documents, farthest),
        scoresIn: (documents) => scanner.scoresIn(documents, lists),
      };
    },
  };
}

/**
 * The nearest of a half are further away than the nearest of all. Measured, half as many more make up
 * for it.
 */
const FILTERED_FACTOR = 1.5;

/** The limits of what is scanned are for an index of so many documents, and for smaller ones. */
const DOCUMENTS_OF_LIMITS = 160_000;
const GROWTH_EXPONENT = 0.4;

/**
 * How many times the limits are scanned. The nearest documents of a larger index lie in more lists.
 * Measured, this growth keeps the recall.
 */
function scannedFactor(total: number): number {
  return Math.max(1, total / DOCUMENTS_OF_LIMITS) ** GROWTH_EXPONENT;
}

/** With a filter, as many as leave 1.5 times `denseScannedMax` allowed ones, within the limit. */
function scannedMax(
  limits: DenseLimits,
  total: number,
  allowed: FlaggedDocuments | undefined,
): number {
  const denseScannedMax = scannedFactor(total) * limits.denseScannedMax;
  if (allowed === undefined) return denseScannedMax;
  const filteredMax = scannedFactor(total) * limits.filteredDenseScannedMax;
  const wanted = (FILTERED_FACTOR * denseScannedMax) / allowed.share;
  return Math.max(denseScannedMax, Math.min(filteredMax, wanted));
}

function addAllowed(best: Best, { flags }: FlaggedDocuments): Best['add'] {
  return (document, score) => {
    if (flags[document] === 1) best.add(document, score);
  };
}

function amongAllowed(all: Ranking, { flags }: FlaggedDocuments): Ranking {
  return all.filter(({ document }) => flags[document] === 1);
}

function numbersOf({ flags, count }: FlaggedDocuments): DocumentNumber[] {
  const numbers: DocumentNumber[] = [];
  for (let at = flags.indexOf(1); numbers.length < count; at = flags.indexOf(1, at + 1)) {
    numbers.push(at);
  }
  return numbers;
}

/** The matches of a small index or a narrow filter, whose documents all have a score. */
function exactMatches(all: Ranking, most: number): DenseMatches {
  const scores = new Map(all.map(({ document, score }) => [document, score]));
  const scoresIn = (documents: ArrayLike<DocumentNumber>): Float32Array =>
    Float32Array.from(documents, (document) => scores.get(document) ?? 0);
  return {
    nearest: all.slice(0, most),
    scoresOf: (documents) => ({ scores: scoresIn(documents), unknown: new Uint32Array(0) }),
    scoresIn,
  };
}

/** Returns a function that returns a scanner of the current inverted lists. */
function createScannerReader(
  db: Connection,
  dimensions: number,
  bytesMax: number,
): () => ListScanner {
  const revisionNow = readRevision(db);
  const readLast = prepareReadLastDocument(db);
  const readEntries = db.prepare('SELECT entries FROM list_entries WHERE list = ?').pluck();
  const entriesOf = (list: number): Buffer => readEntries.get(list) as Buffer;
  let scanner: ListScanner | undefined;
  let revision: number | undefined;
  return () => {
    const current = revisionNow();
    if (scanner === undefined || current !== revision) {
      scanner = createListScanner({ dimensions, itemsMax: readLast() + 1, bytesMax, entriesOf });
      revision = current;
    }
    return scanner;
  };
}

/** Returns a function that compares the own vectors of single documents with a query. */
function createComparison(
  db: Connection,
  dimensions: number,
): (query: Embedding, documents: readonly DocumentNumber[]) => Ranking {
  const compare = db.prepare(
    `SELECT document, 1 - vec_distance_cosine(vec_int8(${OWN_VECTOR_SQL}), vec_int8(?)) AS score
     FROM json_each(?) AS wanted CROSS JOIN signals ON signals.document = wanted.value
     ORDER BY score DESC, document`,
  );
  const bytes = quantizedBytes(dimensions, 8);
  return (query, documents) => {
    const codes = Buffer.alloc(bytes);
    quantize(query, 8, codes, 0);
    return compare.all(bytes, codes, JSON.stringify(documents)) as Ranking;
  };
}

function createScan(db: Connection, dimensions: number): DenseRetriever['scan'] {
  const rank = db.prepare(
    `SELECT document, 1 - vec_distance_cosine(vec_int8(${OWN_VECTOR_SQL}), vec_int8(?)) AS score
     FROM signals ORDER BY score DESC, document LIMIT ?`,
  );
  const bytes = quantizedBytes(dimensions, 8);
  return (query, most) => {
    const codes = Buffer.alloc(bytes);
    quantize(query, 8, codes, 0);
    return rank.all(bytes, codes, most) as Ranking;
  };
}
