/** Files with pages overwritten, as a disk does it, and files that others write to meanwhile. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import { checkFile, type FileCheckStep } from '../../../src/commands/file-check/examine-file.ts';
import type { Damage } from '../../../src/database/damage/damage-register.ts';
import { openStore, openStoreForReading } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { emptyWal } from '../../../src/database/sqlite/wal.ts';
import { damagePages } from '../../support/damage.ts';
import { addKey, addSomeone, inStore } from '../../support/history.ts';
import { copySampleIndex, removeDatabase } from '../../support/service.ts';

const READ_MS = 5;
const SEARCHES = 300;

/** A file with searches, and the copy of it that each test has. */
let original: string;
let database: string;
let customerId: number;
let keyId: number;

beforeAll(async () => {
  original = await copySampleIndex();
  customerId = addSomeone(original, { email: 'ada@example.org', credits: 10_000 }).customerId;
  keyId = addKey(original, customerId, 'Notebook').key.id;
  inStore(original, (db) => addSearches(db, SEARCHES));
});
afterAll(() => removeDatabase(original));
beforeEach(async () => {
  database = await copySampleIndex(original);
});
afterEach(() => removeDatabase(database));

function addSearches(db: Connection, count: number): void {
  const ledger = createLedger(db);
  const add = db.transaction(() => {
    for (let number = 0; number < count; number++) {
      const requestId = crypto.randomUUID();
      ledger.hold({ requestId, customerId, keyId, credits: 1, now: 1_000 });
      const measures = { milliseconds: 5, lanes: [], outcome: 'close' } as const;
      ledger.settle(requestId, 1_020, measures);
    }
  });
  add.immediate();
}

/** Checks the file as a process of its own would. `between` runs after each read. */
function check(
  options: { wholeTableMsMax?: number; readMs?: number } = {},
  between: (step: FileCheckStep, db: Connection) => void = () => {},
): Damage[] {
  const db = openStoreForReading({ path: database, lockWaitMs: 1_000 });
  const found: Damage[] = [];
  try {
    for (const step of checkFile(db, { readMs: READ_MS, hasLedger: true, ...options })) {
      if (step.damage !== undefined) found.push(step.damage);
      between(step, db);
    }
  } finally {
    db.close();
  }
  return found;
}

/** SQLite's own check of each table, and the one of large tables. */
const ways = [{ wholeTableMsMax: 60_000 }, { wholeTableMsMax: -1 }];

describe.each(ways)('a check with %o', (way) => {
  it('finds nothing in a sound file, and reads every table', () => {
    const parts = new Set<string>();
    expect(check(way, ({ part }) => void parts.add(part))).toEqual([]);
    const all = inStore(database, (db) =>
      db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
        .pluck()
        .all(),
    );
    expect([...parts]).toEqual(expect.arrayContaining(all));
  });

  it.each([
    ['ledger_entries', 'ledger_entries', true],
    ['ledger_entries_by_customer', 'ledger_entries', true],
    ['ledger_entries_by_request', 'ledger_entries', true],
    ['usage_days', 'usage_days', true],
    ['documents', 'documents', true],
    ['sqlite_autoindex_documents_1', 'documents', true],
    ['documents_text_data', 'documents_text_data', true],
    ['signals', 'signals', true],
    ['postings', 'postings', true],
    ['list_entries', 'list_entries', true],
    ['members', 'members', false],
  ])('finds an overwritten page of %s as damage to %s', (name, part, isBlocking) => {
    damagePages(database, name, { choose: (leaves) => leaves.slice(-1) });
    expect(check(way)).toContainEqual({
      part,
      isBlocking,
      reason: expect.stringMatching(new RegExp(`^${part}: \\S`)),
    });
  });

  const addOne = (db: Connection): void => addSearches(db, 1);
  const removeOne = (db: Connection): void => {
    db.pragma('foreign_keys = OFF');
    db.exec('DELETE FROM documents WHERE number = 9; DELETE FROM source_records WHERE number = 9');
  };
  it.each([
    ['written', 'ledger_entries_by_customer', addOne, 'rows are missing from'],
    ['written', 'ledger_entries_by_key', addOne, 'rows are missing from'],
    ['written', 'ledger_entries_by_request', addOne, 'rows are missing from'],
    ['removed', 'sqlite_autoindex_documents_1', removeOne, '1 entries of the index'],
    ['removed', 'source_records_document', removeOne, '1 entries of the index'],
  ])('finds that an entry was not %s: %s', (_, index, change, reason) => {
    inStore(database, (db) => emptyWal(db, 0));
    const before = readFileSync(database);
    inStore(database, (db) => {
      change(db);
      emptyWal(db, 0);
    });
    // The disk still has what the pages were.
    const { pages, pageBytes } = damagePages(database, index, { change() {} });
    const file = openSync(database, 'r+');
    for (const at of pages.map((page) => (page - 1) * pageBytes)) {
      writeSync(file, before, at, pageBytes, at);
    }
    closeSync(file);
    const [first] = check(way);
    expect(first?.isBlocking).toBe(true);
    expect(first?.reason).toContain(reason);
  });

  it('finds altered text that is no damage to the page', () => {
    damagePages(database, 'documents', {
      choose: (leaves) => leaves.slice(0, 1),
      change: (page) => void page.write('Z', page.lastIndexOf('a'), 'latin1'),
    });
    const [found, ...others] = check(way);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ part: 'documents', isBlocking: false });
    expect(found?.reason).toMatch(/^documents: 1 rows are not what was written, .* number \d+$/);
  });
});

describe('a check of the ledger', () => {
  it('finds what does not add up, which is no damage to searches', () => {
    inStore(database, (db) => db.exec('UPDATE customers SET balance = balance + 1'));
    expect(check()).toEqual([
      {
        part: 'ledger_audit',
        isBlocking: false,
        reason: expect.stringMatching(/^ledger_audit: customer 1: the balance is \d+, but /),
      },
    ]);
  });

  it('leaves accounts alone that are used elsewhere', () => {
    inStore(database, (db) => db.exec('UPDATE customers SET balance = balance + 1'));
    const db = openStoreForReading({ path: database, lockWaitMs: 1_000 });
    const damage = [...checkFile(db, { readMs: READ_MS, hasLedger: false })].flatMap(
      (step) => step.damage ?? [],
    );
    db.close();
    expect(damage).toEqual([]);
  });
});

describe('beside writers', () => {
  it.each(ways)('lets them empty the write-ahead log after each read, with %o', (way) => {
    const writer = openStore({ path: database, lockWaitMs: 0 });
    let reads = 0;
    check(way, () => {
      if (reads++ % 10 === 0) expect(emptyWal(writer, 0)).toBe(true);
    });
    writer.close();
    expect(reads).toBeGreaterThan(60);
  });

  it.each(ways)('takes no change between two reads for damage, with %o', (way) => {
    const writer = openStore({ path: database, lockWaitMs: 1_000 });
    const remove = writer.prepare('DELETE FROM term_counts WHERE term = ?');
    const terms = writer.prepare('SELECT term FROM term_counts').pluck().all();
    let reads = 0;
    // A read of one row each, so that thousands of changes fall between two.
    const found = check({ ...way, readMs: 0 }, () => {
      if (reads++ % 50 !== 0) return;
      addSearches(writer, 1);
      remove.run(terms.pop());
    });
    writer.close();
    expect(reads).toBeGreaterThan(5_000);
    expect(found).toEqual([]);
  });

  it('throws what is no damage', () => {
    const db = openStoreForReading({ path: database, lockWaitMs: 0 });
    const steps = checkFile(db, { readMs: READ_MS, hasLedger: true });
    steps.next();
    db.close();
    expect(() => [...steps]).toThrow('The database connection is not open');
  });
});
