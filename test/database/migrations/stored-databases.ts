/** Databases that earlier versions of the program wrote: see test/fixtures/databases/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { scratchFolder } from '../../ingest/index-files.ts';

const folder = resolve(import.meta.dirname, '../../fixtures/databases');

/** The versions of the tables, as `PRAGMA user_version` has them. */
export const storedVersions = [2, 3, 4, 6, 8, 9, 12, 13, 14, 15, 21, 25];

/** What the databases were made of. */
export const papers = readFileSync(join(folder, 'papers.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(
    (line) => JSON.parse(line) as { id?: string; doi?: string; title: string; abstract: string },
  );

/** Unpacks a database into a folder that is removed with the test; returns its path. */
export async function unpackStored(version: number): Promise<string> {
  const name = `version-${String(version).padStart(2, '0')}.db`;
  const path = join(await scratchFolder(), name);
  writeFileSync(path, gunzipSync(readFileSync(join(folder, `${name}.gz`))));
  return path;
}
