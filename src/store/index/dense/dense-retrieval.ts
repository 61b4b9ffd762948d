/**
 * Dense retrieval: finds the documents whose own vectors are nearest to the query's. It probes the
 * inverted lists with the nearest centroids until it has seen enough documents (IVF; Sivic and
 * Zisserman, "Video Google", 2003; Jégou, Douze and Schmid, "Product quantization for nearest
 * neighbor search", 2011). A small index is scanned exactly.
 */
import type { DocumentNumber, Embedding, Ranking } from '../../../types.ts';
import { dotProductsOf } from '../../../vectors/dot-products.ts';
import { keepBest } from '../../../vectors/keep-best.ts';
import {
  createListScanner,
  type ListScanner,
  type ListsOfItems,
} from '../../../vectors/list-scanner.ts';
import { quantize, quantizedBytes } from '../../../vectors/quantization.ts';
import type { LookedUpScores } from '../../../vectors/scan-module.ts';
import type { Connection } from '../../database/connection.ts';
import { prepareReadLastDocument, readRevision } from '../index-facts.ts';
import { OWN_VECTOR_SQL } from './embeddings.ts';
import { openCentroids } from './stored-centroids.ts';

export interface DenseLimits {
  /** Documents to score. Lists are probed whole until there are as many. */
  denseScannedMax: number;
  /** An index of at most this many documents is scanned exactly, without inverted lists. */
  exactScanMax: number;
  /** Bytes of inverted lists to keep in memory. */
  listBytesCachedMax: number;
}

export interface DenseRetriever {
  retrieve(query: Embedding, most: number): DenseMatches;
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
  const centroids = openCentroids(db, dimensions);
  const scannerNow = createScannerReader(db, dimensions, limits.listBytesCachedMax);
  const readList = db.prepare('SELECT cell FROM document_cells WHERE document = ?').pluck();
  const readTotal = db.prepare("SELECT value FROM index_facts WHERE name = 'documents'").pluck();
  const scan = createScan(db, dimensions);
  return {
    scan,
    retrieve(query, most) {
      const total = readTotal.get() as number;
      if (total <= limits.exactScanMax) {
        return exactMatches(scan(query, total), most);
      }
      const scanner = scannerNow();
      scanner.startQuery(query);
      const compared = centroids.now().compare(dotProductsOf(query));
      const best = keepBest(most);
      let left = limits.denseScannedMax;
      let farthest = 0;
      for (const near of compared.inOrder()) {
        left -= scanner.scan(near, best.worst(), best.add);
        farthest = near.cosine;
        if (left <= 0) break;
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

/** The matches of a small index, whose documents all have a score. */
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
  const readEntries = db.prepare('SELECT members FROM cell_members WHERE cell = ?').pluck();
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
