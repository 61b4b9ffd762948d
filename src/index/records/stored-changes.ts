/** The rows of what happened to papers. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { type PaperChange, SEQUENCES_PER_MS, type Sequence } from './paper-changes.ts';

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

function prepareReadLast(db: Connection): () => Sequence {
  const read = db.prepare('SELECT coalesce(max(sequence), 0) FROM paper_changes').pluck();
  return () => Number(read.get());
}
