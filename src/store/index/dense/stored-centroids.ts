/** The centres of the cells as the file has them, kept in memory while they stay the same. */
import { type Centroid, type Centroids, createCentroids } from '../../../vectors/centroids.ts';
import type { Connection } from '../../database/connection.ts';

export interface StoredCentroids {
  /** The centres in the view that the connection sees. */
  now(): Centroids;
  /** To be called with every change to the cells that `now()` has been told of already. */
  changed(): void;
}

/** `dimensions` of the index's model. */
export function openCentroids(db: Connection, dimensions: number): StoredCentroids {
  const readVersion = db.prepare("SELECT value FROM index_facts WHERE name = 'centres'").pluck();
  const bumpVersion = db.prepare(
    "UPDATE index_facts SET value = value + 1 WHERE name = 'centres' RETURNING value",
  );
  const readAll = db.prepare('SELECT cell, centre FROM cells ORDER BY cell');
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

/** A row of cells, its blob unpacked. */
export function toCentroid({ list, centroid }: { list: number; centroid: Buffer }): Centroid {
  // Copied: a blob may start anywhere, floats must not.
  return { list, vector: new Float32Array(new Uint8Array(centroid).buffer) };
}
