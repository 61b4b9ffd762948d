/** Step 22: the centroids of inverted lists get centroids of their own. */
import type { Connection } from '../sqlite/connection.ts';
import { splitInTwo } from './frozen/split-in-two.ts';
import type { Step } from './step.ts';

export const groupsOfCentroids: Step = {
  name: 'groups of centroids',
  sql: `
CREATE TABLE centroid_groups (
  number   INTEGER PRIMARY KEY AUTOINCREMENT,
  centroid BLOB NOT NULL                -- float32
);

ALTER TABLE cells ADD COLUMN centroid_group INTEGER REFERENCES centroid_groups (number);
`,
  convert,
};

/** The most lists of a group at the time of this step. */
const GROUP_LISTS_MAX = 128;

/** Divides the lists by splitting until no group is too large. Takes about a second for 15,000. */
function convert(db: Connection): void {
  const lists = db.prepare('SELECT cell FROM cells ORDER BY cell').pluck().all() as number[];
  if (lists.length === 0) return;
  const read = db.prepare('SELECT centre FROM cells WHERE cell = ?').pluck();
  const addGroup = db.prepare('INSERT INTO centroid_groups (centroid) VALUES (?)');
  const setGroup = db.prepare('UPDATE cells SET centroid_group = ? WHERE cell = ?');
  const vectors = lists.map((list) => {
    const blob = read.get(list) as Buffer;
    return new Float32Array(new Uint8Array(blob).buffer);
  });
  /** `positions`: those among the lists. */
  const divide = (positions: readonly number[]): void => {
    const halves = splitInTwo(positions.map((at) => vectors[at] as Float32Array));
    for (const { centroid, indexes } of halves) {
      const half = indexes.map((index) => positions[index] as number);
      if (half.length > GROUP_LISTS_MAX) divide(half);
      else addTo(Buffer.from(centroid.buffer, centroid.byteOffset, centroid.byteLength), half);
    }
  };
  const addTo = (centroid: Buffer, members: readonly number[]): void => {
    const group = addGroup.run(centroid).lastInsertRowid;
    for (const at of members) setGroup.run(group, lists[at]);
  };
  // A single group starts with the centroid of its first list.
  if (lists.length > GROUP_LISTS_MAX) divide([...lists.keys()]);
  else addTo(read.get(lists[0]) as Buffer, [...lists.keys()]);
}
