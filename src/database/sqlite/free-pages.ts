/**
 * Gives unused pages back to the file system while the file is used. SQLite can do that only in files
 * that keep track of where each page is referred to (https://www.sqlite.org/pragma.html,
 * "auto_vacuum").
 */
import type { Connection } from './connection.ts';

const INCREMENTAL = 2;

/**
 * Lets a file give pages back. Has an effect before the first table is created, and in any other
 * file when it is rewritten.
 */
export function enableFreeingPages(db: Connection): void {
  db.pragma(`auto_vacuum = ${INCREMENTAL}`);
}

/** Whether the file can give pages back without being rewritten. */
export function canFreePages(db: Connection): boolean {
  return db.pragma('auto_vacuum', { simple: true }) === INCREMENTAL;
}

/** The size of the unused pages in bytes. */
export function unusedBytes(db: Connection): number {
  return countUnused(db) * Number(db.pragma('page_size', { simple: true }));
}

/**
 * Moves the last pages of the file into unused ones, so many in a transaction, and yields the
 * finished share. The file gets shorter with the next checkpoint.
 */
export function* freePages(db: Connection, pagesPerStep: number): Generator<number> {
  const atFirst = countUnused(db);
  for (let left = atFirst; left > 0; left = countUnused(db)) {
    yield Math.max(0, 1 - left / atFirst);
    db.pragma(`incremental_vacuum(${pagesPerStep})`);
    // Others may use up pages or leave new ones; without any progress there is nothing to gain.
    if (countUnused(db) >= left) return;
  }
}

function countUnused(db: Connection): number {
  return Number(db.pragma('freelist_count', { simple: true }));
}
