/** The rows of what happened to papers. */
import type { Connection } from '../../database/sqlite/connection.ts';
import {
  type ChangesPage,
  type PaperChange,
  SEQUENCES_PER_MS,
  type Sequence,
  type StoredChange,
} from './paper-changes.ts';

/** Returns a function that writes a change in place of the paper's last one. */
export function prepareWriteChange(db: Connection): (change: PaperChange) => void {
  const readLast = prepareReadLast(db);
  const write = db.prepare(
    `INSERT INTO paper_changes (sequence, id, added, reason) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence,
       added = max(added, excluded.added), reason = excluded.reason`,
  );
  return ({ id, isNew, reason }) => {
    const sequence = Math.max(Date.now() * SEQUENCES_PER_MS, readLast() + 1);
    write.run(sequence, id, isNew ? sequence : 0, reason);
  };
}

/** Returns a function that reads at most so many changes after one. */
export function createChangeReader(db: Connection): (after: Sequence, most: number) => ChangesPage {
  const readIndex = db.prepare("SELECT value FROM index_facts WHERE name = 'id'").pluck();
  const readLast = prepareReadLast(db);
  const read = db.prepare(
    `SELECT sequence, id, added, reason FROM paper_changes WHERE sequence > ?
     ORDER BY sequence LIMIT ?`,
  );
  return (after, most) => ({
    index: String(readIndex.get()),
    last: readLast(),
    changes: read.all(after, most) as StoredChange[],
  });
}

function prepareReadLast(db: Connection): () => Sequence {
  const read = db.prepare('SELECT coalesce(max(sequence), 0) FROM paper_changes').pluck();
  return () => Number(read.get());
}
