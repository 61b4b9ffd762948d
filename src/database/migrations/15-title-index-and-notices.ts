/** Step 15: what finds a paper by its title, and what journals announced about papers. */
import type { Connection } from '../sqlite/connection.ts';
import { titleKeysOf } from './frozen/title-keys.ts';
import type { Step } from './step.ts';

export const titleIndexAndNotices: Step = {
  name: 'title index and notices',
  sql: `
CREATE TABLE title_keys (
  key      INTEGER NOT NULL,
  document INTEGER NOT NULL,
  PRIMARY KEY (key, document)
) WITHOUT ROWID;

ALTER TABLE source_records ADD COLUMN notice TEXT;
`,
  convert,
};

/** Gives each document its keys. Takes some ten seconds for a hundred thousand documents. */
function convert(db: Connection): void {
  const add = db.prepare('INSERT OR IGNORE INTO title_keys (key, document) VALUES (?, ?)');
  const readTitle = db.prepare('SELECT title FROM documents WHERE number = ?').pluck();
  const numbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck().all();
  for (const number of numbers as number[]) {
    for (const key of titleKeysOf(readTitle.get(number) as string)) add.run(key, number);
  }
}
