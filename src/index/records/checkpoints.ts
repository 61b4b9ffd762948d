/**
 * Checkpoints: how far a build has read each file, for the build that resumes after an
 * interruption. They are written in the transaction that writes the documents and are valid for
 * that revision of the index. After any other change, files are read from the start again.
 */
import type { Connection } from '../../database/sqlite/connection.ts';
import { readRevision } from '../index-facts.ts';
import { prepareFileNumber, type SourceFile } from './source-files.ts';

export interface Checkpoint {
  file: SourceFile;
  /** Identifies the file's content and the way to read it. */
  identity: Buffer;
  /** The number of entries, from the file's start, that need not be read again. */
  entries: number;
  /** The file has no other entries. */
  isDone: boolean;
}

export interface CheckpointRow extends SourceFile, Pick<Checkpoint, 'identity' | 'entries'> {
  is_done: number | boolean;
  revision: number;
}

/** Selects all rows, on either database. */
export const CHECKPOINTS_SQL = `
  SELECT path, format, identity, entries, is_done, revision
  FROM build_checkpoints JOIN source_files ON number = file`;

/** Returns the checkpoints of rows, none if they are not of this revision. Pure. */
export function validCheckpoints(rows: readonly CheckpointRow[], revision: number): Checkpoint[] {
  if (Math.max(...rows.map((row) => row.revision)) !== revision) return [];
  return rows.map(({ path, format, identity, entries, is_done }) => {
    return { file: { path, format }, identity, entries, isDone: Boolean(is_done) };
  });
}

export function readCheckpoints(db: Connection): Checkpoint[] {
  const rows = db.prepare(CHECKPOINTS_SQL).all() as CheckpointRow[];
  return validCheckpoints(rows, readRevision(db)());
}

/** Call this in the transaction that writes the documents, or alone if there are none. */
export function putCheckpoints(db: Connection, checkpoints: readonly Checkpoint[]): void {
  const revision = readRevision(db)();
  const fileNumber = prepareFileNumber(db);
  const put = db.prepare(
    `REPLACE INTO build_checkpoints (file, identity, entries, is_done, revision)
     VALUES (?, ?, ?, ?, ?)`,
  );
  db.transaction(() => {
    for (const { file, identity, entries, isDone } of checkpoints) {
      put.run(fileNumber(file), identity, entries, isDone ? 1 : 0, revision);
    }
  })();
}

/** Deletes the checkpoints of all other files. */
export function keepCheckpoints(db: Connection, files: readonly SourceFile[]): void {
  const forget = db.prepare(
    `DELETE FROM build_checkpoints WHERE file NOT IN (
       SELECT f.number FROM json_each(?) k JOIN source_files f
       ON f.path = k.value ->> 'path' AND f.format = k.value ->> 'format'
     )`,
  );
  forget.run(JSON.stringify(files));
}
