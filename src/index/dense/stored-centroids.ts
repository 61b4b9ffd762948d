/** The stored centroids of inverted lists and of their groups, cached in memory until they change. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { Embedding } from '../../types.ts';
import { type Centroids, createCentroids } from '../../vectors/centroids.ts';
import type { VectorTables } from '../forward-index.ts';

export interface StoredCentroids {
  /** Returns the centroids in the view of the database that the connection sees. */
  now(): Centroids;
  /** Reads the exact centroid of an existing list. The cached one is quantized. */
  vectorOf(list: number): Embedding;
  /** Call this with every change of the tables that `now()` already reflects. */
  changed(): void;
}

export interface StoredCentroidsOptions {
  /** Those of the index's model. */
  dimensions: number;
  /** See `CentroidsOptions`. */
  comparedMax: number;
  /** Which tables; those of searches if absent. */
  tables?: VectorTables;
}

export function openCentroids(db: Connection, options: StoredCentroidsOptions): StoredCentroids {
  const { tables: prefix = '' } = options;
  const readVersion = db
    .prepare(`SELECT value FROM ${prefix}index_facts WHERE name = 'centroids'`)
    .pluck();
  const bumpVersion = db.prepare(
    `UPDATE ${prefix}index_facts SET value = value + 1 WHERE name = 'centroids' RETURNING value`,
  );
  const readGroups = db.prepare(
    `SELECT number, centroid FROM ${prefix}centroid_groups ORDER BY number`,
  );
  const readLists = db.prepare(
    `SELECT list, centroid_group AS number, centroid FROM ${prefix}inverted_lists ORDER BY list`,
  );
  const readOne = db.prepare(`SELECT centroid FROM ${prefix}inverted_lists WHERE list = ?`).pluck();
  let centroids: Centroids | undefined;
  let version: unknown;
  const readAll = (): Centroids => {
    const groups = readGroups.all() as { number: number; centroid: Buffer }[];
    const lists = readLists.all() as { list: number; number: number; centroid: Buffer }[];
    return createCentroids(
      {
        groups: groups.map(({ number, centroid }) => ({
          group: number,
          vector: fromFloatBlob(centroid),
        })),
        lists: lists.map(({ list, number, centroid }) => ({
          list,
          group: number,
          vector: fromFloatBlob(centroid),
        })),
      },
      options,
    );
  };
  return {
    now() {
      const current = readVersion.get();
      if (centroids === undefined || version !== current) {
        centroids = readAll();
        version = current;
      }
      return centroids;
    },
    vectorOf: (list) => fromFloatBlob(readOne.get(list) as Buffer),
    changed() {
      version = bumpVersion.pluck().get();
    },
  };
}

/** Decodes a stored centroid. */
export function fromFloatBlob(centroid: Buffer): Embedding {
  // Copied, because a blob may start at any byte but floats must be aligned.
  return new Float32Array(new Uint8Array(centroid).buffer);
}
