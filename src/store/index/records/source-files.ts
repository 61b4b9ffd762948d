/** The rows of the files that records come from. */
import type { Connection } from '../../database/connection.ts';

/** The number of a row of source_files. */
export type FileNumber = number;

/** A file by what identifies its row, which there may not be yet. */
export interface SourceFile {
  path: string;
  /** The format that it was read as. */
  format: string;
}

/**
 * Returns a function that gives a file its number, and a row if it has none. To be called in the
 * transaction that writes what refers to it: a row of its own would take a transaction of its own,
 * and a folder has thousands of files of one record.
 */
export function prepareFileNumber(db: Connection): (file: SourceFile) => FileNumber {
  const find = prepareFindFile(db);
  const add = db.prepare('INSERT INTO source_files (path, format) VALUES (?, ?)');
  return (file) => find(file) ?? Number(add.run(file.path, file.format).lastInsertRowid);
}

/** Returns a function that gives a file's number; undefined where it has no row. */
export function prepareFindFile(db: Connection): (file: SourceFile) => FileNumber | undefined {
  const find = db.prepare('SELECT number FROM source_files WHERE path = ? AND format = ?').pluck();
  return ({ path, format }) => find.get(path, format) as FileNumber | undefined;
}
