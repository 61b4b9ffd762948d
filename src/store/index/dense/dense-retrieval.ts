/**
 * Dense retrieval: the documents whose own vectors are nearest to the query's. The nearest cells
 * are looked into until enough documents have been seen; a small index is scanned.
 */
import type { DocumentNumber, Embedding, Ranking } from '../../../types.ts';
import {
  type CellScanner,
  type CellsOfItems,
  createCellScanner,
} from '../../../vectors/cell-scanner.ts';
import { pack, packedBytes } from '../../../vectors/codes.ts';
import { dotProductsOf } from '../../../vectors/dot-products.ts';
import { keepBest } from '../../../vectors/keep-best.ts';
import type { LookedUpScores } from '../../../vectors/scan-module.ts';
import type { Connection } from '../../database/connection.ts';
import { prepareReadLastDocument, readRevision } from '../index-facts.ts';
import { OWN_VECTOR_SQL } from './embeddings.ts';
import { openCentres } from './stored-centroids.ts';

export interface DenseLimits {
  /** Documents whose vectors are looked at, in whole cells. */
  denseScannedMax: number;
  /** An index of so many documents at most is scanned, without cells. */
  scannedWithoutCellsMax: number;
  /** Bytes of cells that are kept in memory. */
  cellBytesCachedMax: number;
}

export interface DenseRetriever {
  retrieve(query: Embedding, most: number): NearDocuments;
  /** The nearest documents of all, by sqlite-vec: slow, and what `retrieve` is measured against. */
  scan(query: Embedding, most: number): Ranking;
}

export interface NearDocuments {
  /** The nearest documents, as many as were asked for; the score is the cosine, as good as the cells' few bits tell. */
  nearest: Ranking;
  /**
   * The same score of any documents, in their order; of those in no cell that was near enough, which
   * are `unknown`, that of the last centre that was. To be called before the next retrieval.
   */
  scoresOf(documents: ArrayLike<DocumentNumber>): LookedUpScores;
  /** The same, with those looked at that are in no near cell: a microsecond each. */
  scoresIn(documents: readonly DocumentNumber[]): Float32Array;
}

/** `dimensions` of the index's model. */
export function createDenseRetriever(
  db: Connection,
  dimensions: number,
  limits: DenseLimits,
): DenseRetriever {
  const centres = openCentres(db, dimensions);
  const scannerNow = createScannerReader(db, dimensions, limits.cellBytesCachedMax);
  const readCell = db.prepare('SELECT cell FROM document_cells WHERE document = ?').pluck();
  const readTotal = db.prepare("SELECT value FROM index_facts WHERE name = 'documents'").pluck();
  const scan = createScan(db, dimensions);
  return {
    scan,
    retrieve(query, most) {
      const total = readTotal.get() as number;
      if (total <= limits.scannedWithoutCellsMax) {
        return nearDocuments(scan(query, total), most);
      }
      const scanner = scannerNow();
      scanner.take(query);
      const compared = centres.now().compare(dotProductsOf(query));
      const best = keepBest(most);
      let left = limits.denseScannedMax;
      let farthest = 0;
      for (const near of compared.inOrder()) {
        left -= scanner.scan(near, best.worst(), best.add);
        farthest = near.cosine;
        if (left <= 0) break;
      }
      const cells: CellsOfItems = {
        cellOf: (document) => scanner.cellOf(document) ?? (readCell.get(document) as number),
        cosineOf: (cell) => compared.cosineOf(cell) as number,
      };
      return {
        nearest: best.items().map(({ item, score }) => ({ document: item, score })),
        scoresOf: (documents) => scanner.scoresOf(documents, farthest),
        scoresIn: (documents) => scanner.scoresIn(documents, cells),
      };
    },
  };
}

/** The same of all documents of a small index. */
function nearDocuments(all: Ranking, most: number): NearDocuments {
  const scores = new Map(all.map(({ document, score }) => [document, score]));
  const scoresIn = (documents: ArrayLike<DocumentNumber>): Float32Array =>
    Float32Array.from(documents, (document) => scores.get(document) ?? 0);
  return {
    nearest: all.slice(0, most),
    scoresOf: (documents) => ({ scores: scoresIn(documents), unknown: new Uint32Array(0) }),
    scoresIn,
  };
}

/** Returns a function that gives a scanner of the cells as they are now. */
function createScannerReader(
  db: Connection,
  dimensions: number,
  bytesMax: number,
): () => CellScanner {
  const revisionNow = readRevision(db);
  const readLast = prepareReadLastDocument(db);
  const readMembers = db.prepare('SELECT members FROM cell_members WHERE cell = ?').pluck();
  const recordsOf = (cell: number): Buffer => readMembers.get(cell) as Buffer;
  let scanner: CellScanner | undefined;
  let revision: number | undefined;
  return () => {
    const current = revisionNow();
    if (scanner === undefined || current !== revision) {
      scanner = createCellScanner({ dimensions, itemsMax: readLast() + 1, bytesMax, recordsOf });
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
  const bytes = packedBytes(dimensions, 8);
  return (query, most) => {
    const packed = Buffer.alloc(bytes);
    pack(query, 8, packed, 0);
    return rank.all(bytes, packed, most) as Ranking;
  };
}
