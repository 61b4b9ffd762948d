/** The stored centroids of the inverted lists, cached in memory until they change. */
import { type Centroid, type Centroids, createCentroids } from '../../../vectors/centroids.ts';
import type { Connection } from '../../database/connection.ts';

export interface StoredCentroids {
  /** Returns the centroids in the view of the database that the connection sees. */
  now(): Centroids;
  /** Call this with every change of the table that `now()` already reflects. */
  changed(): void;
}

/** `dimensions` are those of the index's model. */
export function openCentroids(db: Connection, dimensions: number): StoredCentroids {
  const readVersion = db.prepare("SELECT value FROM index_facts WHERE name = 'centres'").pluck();
  const bumpVersion = db.prepare(
    "UPDATE index_facts SET value = value + 1 WHERE name = 'centres' RETURNING value",
  );
  const readAll = db.prepare('SELECT cell AS list, centre AS centroid FROM cells ORDER BY cell');
  let centroids: Centroids | undefined;
  let version: unknown;
  return {
    now() {
      const current = readVersion.get();
      if (centroids === undefined || version !== current) {
        const rows = readAll.all() as { list: number; centroid: Buffer }[];
        centroids = createCentroids(rows.map(toCentroid), dimensions);
        version = current;
      }
      return centroids;
    },
    changed() {
      version = bumpVersion.pluck().get();
    },
  };
}

/** Decodes a row of the table `cells`. */
export function toCentroid({ list, centroid }: { list: number; centroid: Buffer }): Centroid {
  // Copied, because a blob may start at any byte but floats must be aligned.
  return { list, vector: new Float32Array(new Uint8Array(centroid).buffer) };
}
