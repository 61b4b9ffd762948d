/** Which pages of a database belong to the index. */
import Database from 'better-sqlite3';

export interface IndexPages {
  pageBytes: number;
  /** Page numbers, from 1. */
  pages: number[];
}

/** Tables of the index that every search reads. */
const TABLES = ['documents', 'postings', 'signals'];

/** Writes the log back into the file, and returns the pages of the index. */
export function indexPages(path: string): IndexPages {
  const db = new Database(path);
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
    const pages = db
      .prepare(`SELECT pageno FROM dbstat WHERE name IN (${TABLES.map(() => '?').join(', ')})`)
      .pluck()
      .all(...TABLES) as number[];
    return { pageBytes: Number(db.pragma('page_size', { simple: true })), pages };
  } finally {
    db.close();
  }
}
