/**
 * Inverted lists (IVF) as step 3 writes them. A frozen copy: it never changes, also where today's
 * code in src/index/dense/ does, because the steps after it expect exactly these bytes.
 *
 * A document joins the list with the nearest centroid. A list that has grown too large is split in
 * two. A list is one blob with a record a document:
 *
 *   uint32 document | float32 factor | difference from the centroid, 2 bits a component
 */
import type { Connection } from '../../sqlite/connection.ts';
import { dequantize, quantize, quantizedBytes } from './quantization.ts';
import { splitInTwo } from './split-in-two.ts';

const LIST_DOCUMENTS_MAX = 256;
const HEADER_BYTES = 8;
/** Components of a query in int16. */
const QUERY_MAX = 8191;

interface Centroid {
  vector: Float32Array;
  /** In 8 bits a component. */
  codes: Int8Array;
  factor: number;
}

export interface InvertedLists {
  /** Puts a document into its list; its vectors are stored already. */
  add(document: number, vector: Float32Array): void;
  /** Writes what was added, and splits the lists that have grown too large. */
  flush(): void;
}

export function createInvertedLists(db: Connection, dimensions: number): InvertedLists {
  const addList = db.prepare('INSERT INTO cells (centre) VALUES (?)');
  const removeList = db.prepare('DELETE FROM cells WHERE cell = ?');
  const readRecords = db.prepare('SELECT members FROM cell_members WHERE cell = ?').pluck();
  const writeRecords = db.prepare('REPLACE INTO cell_members (cell, members) VALUES (?, ?)');
  const setList = db.prepare('REPLACE INTO document_cells (document, cell) VALUES (?, ?)');
  const countChange = db.prepare("UPDATE index_facts SET value = value + 1 WHERE name = 'centres'");
  const readSignals = db.prepare('SELECT packed FROM signals WHERE document = ?').pluck();
  const recordBytes = HEADER_BYTES + quantizedBytes(dimensions, 2);
  const centroids = new Map<number, Centroid>();
  /** Records to append, by list. */
  let pending = new Map<number, Buffer[]>();

  const create = (vector: Float32Array): number => {
    const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    const list = Number(addList.run(blob).lastInsertRowid);
    centroids.set(list, centroidOf(vector));
    countChange.run();
    return list;
  };
  const put = (list: number, document: number, vector: Float32Array): void => {
    const { vector: centroid } = centroids.get(list) as Centroid;
    const difference = vector.map((component, i) => component - (centroid[i] as number));
    const record = Buffer.alloc(recordBytes);
    record.writeUInt32LE(document, 0);
    record.writeFloatLE(quantize(difference, 2, record, HEADER_BYTES), 4);
    const records = pending.get(list);
    if (records === undefined) pending.set(list, [record]);
    else records.push(record);
    setList.run(document, list);
  };
  /** The document's own vector: in its signals, after the length of the vectors and its factor. */
  const ownVector = (document: number): Float32Array => {
    const signals = readSignals.get(document) as Buffer;
    return dequantize(signals.subarray(8), signals.readFloatLE(4), dimensions);
  };
  const split = (list: number, documents: readonly number[]): void => {
    const vectors = documents.map(ownVector);
    for (const { centroid, indexes } of splitInTwo(vectors)) {
      const half = create(centroid);
      for (const i of indexes) put(half, documents[i] as number, vectors[i] as Float32Array);
    }
    removeList.run(list);
    centroids.delete(list);
    countChange.run();
  };
  return {
    add: (document, vector) => put(nearest(centroids, vector) ?? create(vector), document, vector),
    flush() {
      // A half of a split may still be too large.
      while (pending.size > 0) {
        const added = pending;
        pending = new Map();
        for (const [list, records] of added) {
          const stored = (readRecords.get(list) as Buffer | undefined) ?? Buffer.alloc(0);
          const all = Buffer.concat([stored, ...records]);
          const documents = Array.from({ length: all.length / recordBytes }, (_, i) =>
            all.readUInt32LE(i * recordBytes),
          );
          if (documents.length > LIST_DOCUMENTS_MAX) split(list, documents);
          else writeRecords.run(list, all);
        }
      }
    },
  };
}

function centroidOf(vector: Float32Array): Centroid {
  const bytes = new Uint8Array(quantizedBytes(vector.length, 8));
  const factor = quantize(vector, 8, bytes, 0);
  return { vector, codes: new Int8Array(bytes.buffer), factor };
}

/** The list with the largest cosine, the first one of equals; undefined where there is none. */
function nearest(
  centroids: ReadonlyMap<number, Centroid>,
  vector: Float32Array,
): number | undefined {
  const largest = vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  const scale = largest === 0 ? 1 : largest / QUERY_MAX;
  const query = Int16Array.from(vector, (component) => Math.round(component / scale));
  let found: number | undefined;
  let best = Number.NEGATIVE_INFINITY;
  // Lists are in the order of their numbers.
  for (const [list, { codes, factor }] of centroids) {
    let sum = 0;
    for (let i = 0; i < query.length; i++) {
      sum = (sum + (query[i] as number) * (codes[i] as number)) | 0;
    }
    const cosine = sum * scale * factor;
    if (found === undefined || cosine > best) [found, best] = [list, cosine];
  }
  return found;
}
