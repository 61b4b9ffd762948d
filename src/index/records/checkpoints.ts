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

export interface CheckpointTable {
  /** Returns the valid checkpoints. */
  read(): Checkpoint[];
  /** Call this in the transaction that writes the documents, or alone if there are none. */
  put(checkpoints: readonly Checkpoint[]): void;
  /** Deletes the checkpoints of all other files. */
  keepOnly(files: readonly SourceFile[]): void;
}

interface Row extends SourceFile, Omit<Checkpoint, 'file' | 'isDone'> {
  is_done: number;
  revision: number;
}

export function createCheckpointTable(db: Connection): CheckpointTable {
  const revisionNow = readRevision(db);
  const fileNumber = prepareFileNumber(db);
  const readAll = db.prepare(
    'SELECT * FROM build_checkpoints JOIN source_files ON number = build_checkpoints.file',
  );
  const put = db.prepare(
    `REPLACE INTO build_checkpoints (file, identity, entries, is_done, revision)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const forget = db.prepare(
    `DELETE FROM build_checkpoints WHERE file NOT IN (
       SELECT f.number FROM json_each(?) k JOIN source_files f
       ON f.path = k.value ->> 'path' AND f.format = k.value ->> 'format'
     )`,
  );
  return {
    read() {
      const rows = readAll.all() as Row[];
      const holds = Math.max(...rows.map(({ revision }) => revision)) === revisionNow();
      return (holds ? rows : []).map(({ path, format, identity, entries, is_done }) => ({
        file: { path, format },
        identity,
        entries,
        isDone: is_done === 1,
      }));
    },
    put: db.transaction((checkpoints: readonly Checkpoint[]) => {
      const revision = revisionNow();
      for (const { file, identity, entries, isDone } of checkpoints) {
        put.run(fileNumber(file), identity, entries, isDone ? 1 : 0, revision);
      }
    }),
    keepOnly: (files) => {
      forget.run(JSON.stringify(files));
    },
  };
}
