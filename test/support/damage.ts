/**
 * Damages a database file as a disk does: bytes of pages are overwritten. SQLite does not see it in
 * pages that a connection has in its cache, nor in pages that are in the write-ahead log.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

export interface DamagedPages {
  /** Their numbers, from 1. */
  pages: number[];
  pageBytes: number;
  /** Writes the bytes from before. */
  repair(): void;
}

export interface DamageOptions {
  /** Chooses among the leaf pages, which are in the order of the keys; all of them if absent. */
  choose?: (leaves: number[]) => number[];
  /** Changes a page in place; fills it with `0xff` if absent. */
  change?: (page: Buffer) => void;
}

/** Overwrites leaf pages of a table or of an index by its name. */
export function damagePages(
  database: string,
  name: string,
  { choose = (leaves) => leaves, change = (page) => page.fill(0xff) }: DamageOptions = {},
): DamagedPages {
  const { leaves, pageBytes } = readLeaves(database, name);
  const pages = choose(leaves);
  if (pages.length === 0) throw new Error(`${name} has no such page`);
  const before = new Map<number, Buffer>();
  const file = openSync(database, 'r+');
  try {
    for (const number of pages) {
      const at = (number - 1) * pageBytes;
      const page = Buffer.alloc(pageBytes);
      readSync(file, page, 0, pageBytes, at);
      before.set(at, Buffer.from(page));
      change(page);
      writeSync(file, page, 0, pageBytes, at);
    }
  } finally {
    closeSync(file);
  }
  return { pages, pageBytes, repair: () => writeBack(database, before) };
}

function readLeaves(database: string, name: string): { leaves: number[]; pageBytes: number } {
  const db = new Database(database, { fileMustExist: true });
  try {
    const leaves = db
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
      .pluck()
      .all(name) as number[];
    return { leaves, pageBytes: db.pragma('page_size', { simple: true }) as number };
  } finally {
    db.close();
  }
}

function writeBack(database: string, pages: ReadonlyMap<number, Buffer>): void {
  const file = openSync(database, 'r+');
  for (const [at, page] of pages) writeSync(file, page, 0, page.length, at);
  closeSync(file);
}
