/** The rows of the files from which records come. */
import { createHash } from 'node:crypto';
import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { FileNumber, SourceFile } from '../records/source-files.ts';

/** Paths are too long for an index of PostgreSQL, so their hash finds them. */
export function hashOfName({ path, format }: SourceFile): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([path, format]))
    .digest();
}

export async function findFile(
  { query }: Queries,
  file: SourceFile,
): Promise<FileNumber | undefined> {
  const [row] = await query<{ number: FileNumber }>(
    'SELECT number FROM source_files WHERE name_hash = $1',
    [hashOfName(file)],
  );
  return row?.number;
}

/** Returns a function from files to their numbers, and inserts the rows that are missing. */
export async function numberFiles(
  { query }: Queries,
  files: readonly SourceFile[],
): Promise<(file: SourceFile) => FileNumber> {
  const nameOf = (file: SourceFile): string => hashOfName(file).toString('hex');
  const distinct = new Map(files.map((file) => [nameOf(file), file]));
  const numbers = new Map<string, FileNumber>();
  if (distinct.size > 0) {
    const all = [...distinct.values()];
    const hashes = all.map(hashOfName);
    await query(
      `INSERT INTO source_files (path, format, name_hash)
       SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) ON CONFLICT DO NOTHING`,
      [all.map(({ path }) => path), all.map(({ format }) => format), hashes],
    );
    const rows = await query<{ number: number; name: string }>(
      `SELECT number, encode(name_hash, 'hex') AS name FROM source_files
       WHERE name_hash = ANY ($1::bytea[])`,
      [hashes],
    );
    for (const { number, name } of rows) numbers.set(name, number);
  }
  return (file) => numbers.get(nameOf(file)) as FileNumber;
}
