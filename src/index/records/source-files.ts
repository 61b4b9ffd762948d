/** The rows of the files from which records come. */
import type { Connection } from '../../database/sqlite/connection.ts';

/** The number of a row of source_files. */
export type FileNumber = number;

/** What identifies the row of a file. The row may not exist yet. */
export interface SourceFile {
  path: string;
  /** The format in which it was read. */
  format: string;
}

/**
 * Returns a function that returns a file's number and inserts its row if there is none. Call it in
 * the transaction that writes the records: a folder can have thousands of files of one record, and
 * one more transaction for each would be slow.
 */
export function prepareFileNumber(db: Connection): (file: SourceFile) => FileNumber {
  const find = prepareFindFile(db);
  const add = db.prepare('INSERT INTO source_files (path, format) VALUES (?, ?)');
  return (file) => find(file) ?? Number(add.run(file.path, file.format).lastInsertRowid);
}

/** Returns a function that returns a file's number, undefined if it has no row. */
export function prepareFindFile(db: Connection): (file: SourceFile) => FileNumber | undefined {
  const find = db.prepare('SELECT number FROM source_files WHERE path = ? AND format = ?').pluck();
  return ({ path, format }) => find.get(path, format) as FileNumber | undefined;
}
