/** A copy of a database is one state of it, whatever is written meanwhile. */
import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { copyBytes, copyDatabase } from '../../../src/database/sqlite/copy-database.ts';
import { temporaryFolder } from '../../support/accounts.ts';

const top = temporaryFolder();
let source: Connection;
let copy: string;

const ROWS = 2000;
const COPYING = {
  bytesPerStep: 40_960,
  bytesPerSecondMax: undefined,
  walBytesMax: 1e9,
  onProgress: () => {},
  signal: new AbortController().signal,
};

beforeEach(() => {
  const folder = mkdtempSync(join(top, 'test-'));
  source = new Database(join(folder, 'source.db'));
  source.pragma('journal_mode = WAL');
  source.exec('CREATE TABLE numbers (number INTEGER, text TEXT)');
  const insert = source.prepare('INSERT INTO numbers VALUES (?, ?)');
  source.transaction(() => {
    for (let number = 0; number < ROWS; number++) insert.run(number, 'x'.repeat(500));
  })();
  copy = join(folder, 'copy.db');
});

function count(path: string): unknown {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare('SELECT count(*) FROM numbers').pluck().get();
  db.close();
  return rows;
}

describe('a copy', () => {
  it('has no transaction that was committed after it began, and does not begin again', async () => {
    const writer = new Database(source.name);
    let steps = 0;
    const onProgress = (): void => {
      steps++;
      writer.exec("INSERT INTO numbers VALUES (-1, 'later')");
    };
    await copyDatabase(source, copy, { ...COPYING, onProgress });
    expect(count(copy)).toBe(ROWS);
    expect(count(source.name)).toBe(ROWS + steps);
    expect(steps).toBeLessThanOrEqual(Math.ceil(copyBytes(source) / COPYING.bytesPerStep) + 1);
    expect(steps).toBeGreaterThan(10);
    writer.close();
  });

  it('reports how much of the whole is done', async () => {
    const seen: number[] = [];
    let total = 0;
    await copyDatabase(source, copy, {
      ...COPYING,
      onProgress: ({ bytes, bytesTotal }) => {
        seen.push(bytes);
        total = bytesTotal;
      },
    });
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
    expect(total).toBe(statSync(copy).size);
  });

  it('ends when it is interrupted, and the source can be written and copied again', async () => {
    const interruption = new AbortController();
    const { signal } = interruption;
    const copying = copyDatabase(source, copy, {
      ...COPYING,
      signal,
      onProgress: () => interruption.abort(),
    });
    await expect(copying).rejects.toMatchObject({ code: 'interrupted' });
    source.exec("INSERT INTO numbers VALUES (-1, 'later')");
    await copyDatabase(source, `${copy}.again`, COPYING);
    expect(count(`${copy}.again`)).toBe(ROWS + 1);
  });

  it('writes over no file', async () => {
    await copyDatabase(source, copy, COPYING);
    const again = copyDatabase(source, copy, COPYING);
    await expect(again).rejects.toMatchObject({ code: 'unwritable_output' });
    expect(existsSync(copy)).toBe(true);
  });

  it('ends when the log of the source has grown too long', async () => {
    const writer = new Database(source.name);
    let commits = 0;
    const copying = copyDatabase(source, copy, {
      ...COPYING,
      walBytesMax: statSync(`${source.name}-wal`).size + 100_000,
      onProgress: () => {
        commits++;
        writer.exec('UPDATE numbers SET number = number + 1 WHERE number < 500');
      },
    });
    await expect(copying).rejects.toMatchObject({ code: 'database_busy' });
    expect(commits).toBeGreaterThan(0);
    // The snapshot is over: the log can be emptied.
    expect(writer.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0 }]);
    writer.close();
  });
});
