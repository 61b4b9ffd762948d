/**
 * How far a build has come in each file, for the one that goes on after an interruption. It is
 * written in the transaction that writes the documents, and holds for the index as that left it:
 * once anything else has changed the index, all files are read from their start again.
 */

import type { Connection } from '../../database/connection.ts';
import { readRevision } from '../index-facts.ts';
import { prepareFileNumber, type SourceFile } from './source-files.ts';

export interface Checkpoint {
  file: SourceFile;
  /** Tells whether the file, and the way to read it, are still the same. */
  identity: Buffer;
  /** The entries from the file's start that need not be looked at again. */
  entries: number;
  /** There are no others. */
  isDone: boolean;
}

export interface CheckpointTable {
  /** The checkpoints that hold. */
  read(): Checkpoint[];
  /** To be called in the transaction that writes the documents, or where there is none to write. */
  put(checkpoints: readonly Checkpoint[]): void;
  /** Forgets all but those of these files. */
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
