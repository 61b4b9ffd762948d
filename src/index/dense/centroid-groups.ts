/**
 * Groups of centroids. They are to the centroids of inverted lists what the lists are to documents:
 * a list is in the group with the nearest centroid, and a group that grows too large is split in two.
 * So a search of a large index compares the question with few of its centroids.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { dotProductsOf } from '../../vectors/dot-products.ts';
import { meanVector } from '../../vectors/mean-vector.ts';
import { splitInTwo } from '../../vectors/split-in-two.ts';
import type { VectorTables } from '../forward-index.ts';
import { toFloatBlob } from './embeddings.ts';
import type { StoredCentroids } from './stored-centroids.ts';

/** Larger groups are split. With 256 documents a list, 20 million documents make some 1,500 groups. */
export const GROUP_LISTS_MAX = 128;

/** Changes the groups. Every call is a step of a transaction. */
export interface CentroidGroupWriter {
  /** Makes a group for the first list of an index. Returns its number. */
  create(centroid: Float32Array): number;
  /** Splits a group that has grown too large, and deletes an empty one. */
  settle(group: number): void;
  /** Moves the centroid of a group to the mean of its lists' centroids. */
  updateCentroid(group: number): void;
  /** Moves the lists of a group that are nearer to another group's centroid to that group. */
  reassign(group: number): void;
}

export function createCentroidGroupWriter(
  db: Connection,
  centroids: StoredCentroids,
  tables: VectorTables = '',
): CentroidGroupWriter {
  const groups = `${tables}centroid_groups`;
  const add = db.prepare(`INSERT INTO ${groups} (centroid) VALUES (?)`);
  const set = db.prepare(`UPDATE ${groups} SET centroid = ? WHERE number = ?`);
  const remove = db.prepare(`DELETE FROM ${groups} WHERE number = ?`);
  const setGroupOf = db.prepare(
    `UPDATE ${tables}inverted_lists SET centroid_group = ? WHERE list = ?`,
  );

  const create = (vector: Float32Array): number => {
    const group = Number(add.run(toFloatBlob(vector)).lastInsertRowid);
    centroids.now().setGroup({ group, vector });
    centroids.changed();
    return group;
  };
  const move = (list: number, group: number): void => {
    setGroupOf.run(group, list);
    centroids.now().set({ list, group, vector: centroids.vectorOf(list) });
    centroids.changed();
  };
  const settle = (group: number): void => {
    const lists = centroids.now().listsIn(group);
    if (lists.length > 0 && lists.length <= GROUP_LISTS_MAX) return;
    if (lists.length > 0) {
      for (const { centroid, indexes } of splitInTwo(lists.map(centroids.vectorOf))) {
        const half = create(centroid);
        for (const index of indexes) move(lists[index] as number, half);
        // A half may still be too large.
        settle(half);
      }
    }
    remove.run(group);
    centroids.now().deleteGroup(group);
    centroids.changed();
  };
  return {
    create,
    settle,
    updateCentroid(group) {
      const lists = centroids.now().listsIn(group);
      if (lists.length === 0) return;
      const vector = meanVector(lists.map(centroids.vectorOf));
      set.run(toFloatBlob(vector), group);
      centroids.now().setGroup({ group, vector });
      centroids.changed();
    },
    reassign(group) {
      const all = centroids.now();
      // Found before the first move, because the next comparison after a change takes long.
      const nearest = all
        .listsIn(group)
        .map((list) => [list, all.closestGroup(dotProductsOf(centroids.vectorOf(list)))] as const);
      const grown = new Set([group]);
      for (const [list, near = group] of nearest) {
        if (near === group) continue;
        move(list, near);
        grown.add(near);
      }
      for (const changed of grown) settle(changed);
    },
  };
}
