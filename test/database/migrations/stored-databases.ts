/** Databases of version 0.2.0, as SQL: see test/fixtures/databases/README.md. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connectForWriting } from '../../../src/database/sqlite/connect.ts';
import { scratchFolder } from '../../ingest/index-files.ts';

const folder = resolve(import.meta.dirname, '../../fixtures/databases');

/** What the SQLite database was made of. */
export const papers = readFileSync(join(folder, 'papers.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(
    (line) => JSON.parse(line) as { id?: string; doi?: string; title: string; abstract: string },
  );

/** The statements that make a stored database. */
export function storedSql(name: string): string {
  return readFileSync(join(folder, `${name}.sql`), 'utf8');
}

/** Makes the SQLite database in a folder that is removed with the test; returns its path. */
export async function createStored(): Promise<string> {
  const path = join(await scratchFolder(), 'stored.db');
  const db = connectForWriting({ path, lockWaitMs: 0 }, false);
  db.exec(storedSql('sqlite-37'));
  db.close();
  return path;
}
