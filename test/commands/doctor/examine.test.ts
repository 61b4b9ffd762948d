/** The doctor's findings, each by making the fault for real. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { addCustomer } from '../../../src/accounts/sql/customers.ts';
import { openStore } from '../../../src/database/open.ts';
import { noteBackup } from '../../../src/database/sqlite/last-backup.ts';
import { lockForServing } from '../../../src/database/sqlite/process-lock.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { bundledModelPath } from '../../../src/settings/bundle.ts';
import { createStored } from '../../database/migrations/stored-databases.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { examined, findingsOf } from './examination.ts';

const folder = temporaryFolder();
let database = '';
let files = 0;

beforeEach(() => {
  const own = join(folder, `${++files}`);
  mkdirSync(own, { mode: 0o700 });
  database = join(own, 'verbatim.db');
  copyFileSync(inject('sampleIndex'), database);
});

/** Changes the database behind the program's back. */
function change(sql: string): void {
  const db = new Database(database);
  db.pragma('foreign_keys = OFF');
  db.exec(sql);
  db.close();
}

it('finds nothing wrong with a sound installation, and leaves no trace', async () => {
  noteBackup(database, database);
  const before = readFileSync(database);
  const findings = await examined({ database }, { isFull: true });
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    ...['versions', 'settings', 'addresses', 'certificate', 'port', 'limits', 'model', 'lanes'],
    ...['files', 'disk', 'backup', 'tables', 'integrity', 'clock', 'ledger', 'index', 'sources'],
  ]);
  expect(readFileSync(database).equals(before)).toBe(true);
});

describe('the database', () => {
  it('is missing', async () => {
    rmSync(database);
    expect(await findingsOf('files', { database })).toEqual([
      {
        severity: 'error',
        found: `there is no database at ${database}`,
        advice: 'create one: verbatim index add FILE, or name another one with --db',
      },
    ]);
  });

  it('is a folder', async () => {
    const [found] = await findingsOf('files', { database: folder });
    expect(found?.found).toBe(`${folder} is not a file`);
  });

  it.each([
    ['text', 'not a database\n'.repeat(1_000)],
    ['empty', ''],
  ])('is %s', async (_what, text) => {
    writeFileSync(database, text);
    const [found] = await findingsOf('tables', { database });
    expect(found).toMatchObject({ severity: 'error' });
    expect(found?.found).toMatch(/the file is not a database|has no tables/);
  });

  it('is of an earlier version', async () => {
    const old = await createStored();
    const [found] = await findingsOf('tables', { database: old });
    expect(found).toMatchObject({ severity: 'error', advice: `verbatim migrate --db ${old}` });
  });

  it('is older than all steps', async () => {
    change('PRAGMA user_version = 36');
    const [found] = await findingsOf('tables', { database });
    expect(found).toMatchObject({
      severity: 'error',
      advice: `verbatim migrate --db ${database} (of Verbatim 0.2.0)`,
    });
  });

  it('is of a later version', async () => {
    change("UPDATE migrations SET program = '9.1.0'; PRAGMA user_version = 99");
    const [found] = await findingsOf('tables', { database });
    expect(found?.found).toContain('was written by Verbatim 9.1.0');
  });

  it('has a damaged page', async () => {
    const bytes = readFileSync(database);
    bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 64 * 1024);
    writeFileSync(database, bytes);
    const [found, ...others] = await findingsOf('integrity', { database });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      severity: 'error',
      found: expect.stringMatching(/SQLite: |damaged/),
      advice: expect.stringContaining('verbatim restore FILE'),
    });
  });

  /** A customer who got 5 credits at each of these times. */
  function topUpAt(...times: number[]): void {
    const db = openStore({ path: database, lockWaitMs: 0 });
    const customerId = changeOnSqlite(db, addCustomer({ email: 'ada@example.org', now: 0 })).id;
    for (const now of times) changeOnSqlite(db, topUp({ customerId, credits: 5, now }));
    db.close();
  }

  it('has a balance that does not add up', async () => {
    topUpAt(0);
    change('UPDATE customers SET balance = 7');
    const [found] = await findingsOf('ledger', { database });
    expect(found).toMatchObject({
      severity: 'error',
      found: expect.stringContaining('the balance is 7, but the entries add up to 5'),
      advice: expect.stringContaining('verbatim credit audit'),
    });
  });

  it.each([
    ['the clock went back', [3_600_000]],
    ['the clock was set right', [3_600_000, 0]],
  ])('has an entry from the future: %s', async (_what, laterMs) => {
    topUpAt(...laterMs.map((ms) => Date.now() + ms));
    const [found] = await findingsOf('clock', { database });
    expect(found?.found).toContain('the ledger has an entry of');
  });

  it('has sources, which contact hosts, and one of them fails', async () => {
    const settings = JSON.stringify({ provider: 'files', options: { url: 'https://a.test/b' } });
    const state = (failures: number) =>
      JSON.stringify({ failures, run: { outcome: 'failed', message: 'status 500' } });
    change(`INSERT INTO sources (name, settings, added_at, state) VALUES
      ('ours', '${settings}', 1, '${state(0)}'), ('theirs', '${settings}', 2, '${state(2)}')`);
    expect(await findingsOf('sources', { database })).toMatchObject([
      { severity: 'ok', found: 'ours contacts a.test' },
      {
        severity: 'warning',
        found: 'theirs contacts a.test; its last run failed: status 500',
        advice: 'run: verbatim source update theirs',
      },
    ]);
  });

  it('was backed up never, long ago, to where it is gone, or lately', async () => {
    const find = async (now = Date.now()) => {
      const [finding] = await findingsOf('backup', { database }, { now });
      return `${finding?.severity}: ${finding?.found}`;
    };
    expect(await find()).toBe('warning: no backup of this database is known');
    const copy = join(database, '../copy.db');
    noteBackup(database, copy);
    expect(await find()).toBe(
      `warning: the last backup is 0 hours old: ${copy}, which is not there`,
    );
    copyFileSync(database, copy);
    expect(await find()).toBe(`ok: the last backup is 0 hours old: ${copy}`);
    expect(await find(Date.now() + 50 * 3_600_000)).toBe(
      `warning: the last backup is 50 hours old: ${copy}`,
    );
  });

  it('is read at a time before this program existed', async () => {
    const [found] = await findingsOf('clock', { database }, { now: 0 });
    expect(found?.found).toBe('the clock says 1970-01-01T00:00:00.000Z');
  });

  it('has an index that is damaged where only --full looks', async () => {
    change("UPDATE documents SET title = 'Another title' WHERE number = 1");
    expect(await findingsOf('index', { database })).toMatchObject([{ severity: 'ok' }]);
    expect(await findingsOf('index', { database }, { isFull: true })).toMatchObject([
      { severity: 'error' },
    ]);
  });

  it('has no documents', async () => {
    rmSync(database);
    openStore({ path: database, lockWaitMs: 0 }).close();
    expect(await findingsOf('index', { database })).toMatchObject([
      { severity: 'warning', found: 'no documents' },
    ]);
  });

  it('can be read and written by everyone', async () => {
    chmodSync(join(database, '..'), 0o755);
    chmodSync(database, 0o644);
    expect(await findingsOf('files', { database })).toMatchObject([
      { severity: 'warning', advice: `chmod 600 ${database}` },
    ]);
    chmodSync(database, 0o666);
    expect(await findingsOf('files', { database })).toMatchObject([{ severity: 'error' }]);
  });

  it('has a write-ahead log that is read-only', async () => {
    writeFileSync(`${database}-wal`, '', { mode: 0o444 });
    expect(await findingsOf('files', { database })).toEqual([
      {
        severity: 'error',
        found: `${database}-wal is read-only, and the database is not`,
        advice: `chmod u+w ${database}-wal`,
      },
    ]);
  });

  it('has a write-ahead log that a reader holds back', async () => {
    const writer = new Database(database);
    const reader = new Database(database);
    onTestFinished(() => {
      reader.close();
      writer.close();
    });
    reader.exec('BEGIN; SELECT count(*) FROM documents');
    writer.exec(
      'CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (randomblob(100000))',
    );
    const [, log] = await findingsOf('disk', { database, walBytesMax: 50_000 });
    expect(log?.found).toMatch(/^the write-ahead log has grown to \d+ MB$/);
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(50_000);
  });
});

describe('the port', () => {
  it('is taken by another program', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
    });
    const port = Number((server.address() as { port: number }).port);
    expect(await findingsOf('port', { database, port })).toMatchObject([
      { severity: 'error', found: expect.stringContaining('is in use by another program') },
    ]);
  });

  it('is that of a server that knows of damage', async () => {
    const damaged = [{ part: 'usage', reason: 'usage: page 7', since: '2026-11-24T02:00:00Z' }];
    const server = createHttpServer((_request, response) => {
      response.end(JSON.stringify({ status: 'ok', damaged }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const unlock = await lockForServing(database);
    onTestFinished(() => {
      unlock();
      server.close();
    });
    const port = Number((server.address() as { port: number }).port);
    expect(await findingsOf('port', { database, port })).toMatchObject([
      { severity: 'warning', found: expect.stringContaining('knows of damage: usage: page 7') },
    ]);
  });

  it('is free, but a server has the database on another one', async () => {
    const unlock = await lockForServing(database);
    onTestFinished(unlock);
    expect(await findingsOf('port', { database })).toMatchObject([
      { severity: 'warning', found: expect.stringContaining('a server has this database') },
    ]);
  });
});

describe('the model', () => {
  it('has a file with another hash', async () => {
    const model = join(folder, 'model');
    cpSync(bundledModelPath(), model, { recursive: true });
    writeFileSync(join(model, 'tokenizer.json'), '{}');
    const [found] = await findingsOf('model', { database, model });
    expect(found).toMatchObject({
      severity: 'error',
      found: expect.stringContaining('tokenizer.json has the sha256'),
    });
  });
});

describe('the settings', () => {
  it.each([
    ['settings', { publicUrl: 'ftp://example.org' }, 'VERBATIM_PUBLIC_URL must be'],
    ['certificate', { tlsKey: 'tls.key' }, 'TLS needs both'],
    ['lanes', { lanes: 'arxiv' }, 'arxiv needs VERBATIM_LANE_CONTACT'],
  ])('%s: %j is an error', async (check, overrides, message) => {
    const [found] = await findingsOf(check, { database, ...overrides });
    expect(found).toMatchObject({ severity: 'error', found: expect.stringContaining(message) });
  });

  it.each([
    [{ host: '0.0.0.0' }, 'the server speaks plain HTTP to other machines'],
    [{ publicUrl: 'https://search.example.org' }, 'all customers seem to come from its address'],
    [
      { host: '0.0.0.0', publicUrl: 'https://search.example.org', proxiesTrusted: 1 },
      'who reaches the port without the proxy',
    ],
  ])('addresses: %j is a warning', async (overrides, message) => {
    const [found] = await findingsOf('addresses', { database, ...overrides });
    expect(found).toMatchObject({ severity: 'warning', found: expect.stringContaining(message) });
  });

  it('a file of secrets that others read is a warning', async () => {
    const values = new Map([['VERBATIM_STRIPE_SECRET_KEY', { text: 'sk', line: 1 }]]);
    const file = { path: '/etc/verbatim.conf', isOpenToOthers: true, values };
    expect(await findingsOf('settings', { database }, { file })).toMatchObject([
      { severity: 'warning', advice: 'chmod 600 /etc/verbatim.conf' },
    ]);
  });
});
