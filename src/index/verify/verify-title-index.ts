/** Checks the title index: each document has its keys, and there are no others. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { allKeysOf } from '../documents/title-index.ts';

interface Row {
  number: number;
  id: string;
  title: string;
}

export function verifyTitleIndex(db: Connection, problem: (text: string) => void): void {
  const has = db.prepare('SELECT 1 FROM title_keys WHERE key = ? AND document = ?').pluck();
  const rows = db
    .prepare('SELECT number, id, title FROM documents ORDER BY number')
    .iterate() as IterableIterator<Row>;
  let expected = 0;
  for (const { number, id, title } of rows) {
    const keys = allKeysOf(title);
    expected += keys.length;
    if (keys.some((key) => has.get(key, number) === undefined)) {
      problem(`${id}: a key of its title is missing`);
    }
  }
  const stored = Number(db.prepare('SELECT count(*) FROM title_keys').pluck().get());
  if (stored > expected) problem(`keys of titles without a document: ${stored - expected}`);
}
