/** One server a database: two would release each other's holds. */
import {
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import { openStore } from '../../../src/database/open.ts';
import { lockForServing } from '../../../src/database/sqlite/process-lock.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addAccount, NOW, rowsOf, temporaryFolder } from '../../support/accounts.ts';
import {
  copySampleIndex,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';
import { runVerbatim } from '../../support/verbatim.ts';

const folder = temporaryFolder();
let files = 0;

/** The path of a database that is there. */
function newDatabase(): string {
  const path = join(folder, `${++files}.db`);
  openStore({ path, lockWaitMs: 0 }).close();
  return path;
}

describe('the lock of a database', () => {
  it('is held by one process, and by the next after a release', async () => {
    const path = newDatabase();
    const unlock = await lockForServing(path);
    const error = `another verbatim process is serving or migrating ${path}; stop it first`;
    await expect(lockForServing(path)).rejects.toThrow(error);
    await expect(lockForServing(path)).rejects.toThrow(error);
    unlock();
    (await lockForServing(path))();
  });

  it('prevents a second server from migrating the tables under the first', async () => {
    const path = join(folder, `${++files}.db`);
    // As the file of a version before all steps.
    new Database(path).exec('VACUUM').close();
    const unlock = await lockForServing(path);
    const { stderr } = await runVerbatim(['serve', '--db', path], { code: 1 });
    expect(stderr).toBe(
      `verbatim: another verbatim process is serving or migrating ${path}; stop it first\n`,
    );
    unlock();
    const db = new Database(path);
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    db.close();
  });

  it.skipIf(process.getuid?.() !== 0)('of root is left to the owner of the database', async () => {
    const path = newDatabase();
    const NOBODY = 65_534;
    chownSync(path, NOBODY, NOBODY);
    (await lockForServing(path))();
    const { uid, gid } = statSync(`${path}-lock`);
    expect({ uid, gid }).toEqual({ uid: NOBODY, gid: NOBODY });
  });

  it('does not block other databases or readers', async () => {
    const path = newDatabase();
    const unlocks = [await lockForServing(path), await lockForServing(newDatabase())];
    const db = openStore({ path, lockWaitMs: 0 });
    addAccount(db);
    db.close();
    for (const unlock of unlocks) unlock();
  });

  it('fails without a database and leaves nothing behind', async () => {
    const path = join(folder, 'later.db');
    await expect(lockForServing(path)).rejects.toThrow(`there is no database at ${path}`);
    expect(readdirSync(folder).filter((name) => name.startsWith('later'))).toEqual([]);
  });

  const names: [what: string, nameOf: (path: string) => string][] = [
    ['a relative path', (path) => relative(process.cwd(), path)],
    [
      'a way around',
      (path) => join(folder, '..', folder.split('/').at(-1) ?? '', relative(folder, path)),
    ],
    [
      'another name of the file (a hard link)',
      (path) => {
        linkSync(path, `${path}.hard-link`);
        return `${path}.hard-link`;
      },
    ],
    [
      'a link to the file',
      (path) => {
        symlinkSync(path, `${path}.link`);
        return `${path}.link`;
      },
    ],
    [
      'a link to the folder',
      (path) => {
        symlinkSync(folder, `${path}.folder`);
        return join(`${path}.folder`, relative(folder, path));
      },
    ],
  ];
  it.each(names)('is the same lock through %s', async (_what, nameOf) => {
    const path = newDatabase();
    const unlock = await lockForServing(path);
    const name = nameOf(path);
    await expect(lockForServing(name)).rejects.toThrow('another verbatim process is serving');
    unlock();
    (await lockForServing(name))();
  });

  it('holds even if the lock file is deleted', async () => {
    const path = newDatabase();
    const unlock = await lockForServing(path);
    rmSync(`${path}-lock`);
    await expect(lockForServing(path)).rejects.toThrow('another verbatim process is serving');
    unlock();
  });

  it('leaves no journal beside the database', async () => {
    const path = newDatabase();
    const unlock = await lockForServing(path);
    const names = readdirSync(folder).filter((name) => name.startsWith(basename(path)));
    expect(names.sort()).toEqual([basename(path), `${basename(path)}-lock`]);
    unlock();
  });

  const unusable: [what: string, prepare: () => string][] = [
    ['the folder is not there', () => join(folder, 'none', 'verbatim.db')],
    [
      'a folder is in its place',
      () => {
        const path = newDatabase();
        mkdirSync(`${path}-lock`);
        return path;
      },
    ],
    [
      'a file of another kind is in its place',
      () => {
        const path = newDatabase();
        writeFileSync(`${path}-lock`, 'some notes of mine\n'.repeat(50));
        return path;
      },
    ],
  ];
  it.each(unusable)('reports that it fails because %s', async (_what, prepare) => {
    const path = prepare();
    await expect(lockForServing(path)).rejects.toThrow(
      expect.objectContaining({
        code: 'database_unusable',
        message: expect.stringContaining(path),
      }),
    );
  });
});

describe('a second server', () => {
  const databases: string[] = [];
  const services: Service[] = [];

  async function newIndex(): Promise<string> {
    const database = await copySampleIndex();
    databases.push(database);
    return database;
  }

  async function start(database: string): Promise<Service> {
    const service = await startService(database);
    services.push(service);
    return service;
  }

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
    await Promise.all(databases.splice(0).map(removeDatabase));
  });

  it('is refused and releases nothing, and starts after the first is killed', async () => {
    const database = await newIndex();
    const first = await start(database);
    const db = openStore({ path: database, lockWaitMs: 5_000 });
    const account = addAccount(db);
    changeOnSqlite(db, topUp({ customerId: account.customerId, credits: 1, now: NOW }));
    createLedger(db).hold({ requestId: 'under-way', ...account, credits: 1, now: NOW });
    const openHolds = (): unknown[] => rowsOf(db, 'SELECT request_id FROM open_holds');

    const refused = await runVerbatim(['serve', '--db', database], { code: 1 });
    expect(refused.stderr).toBe(
      `verbatim: another verbatim process is serving or migrating ${database}; stop it first\n`,
    );
    expect(openHolds()).toHaveLength(1);
    expect((await fetch(`${first.url}/health`)).status).toBe(200);

    expect(await first.end('SIGKILL')).toBeNull();
    const second = await start(database);
    expect(second.log).toContainEqual(
      expect.objectContaining({ event: 'released_holds_of_a_crash', holds: 1 }),
    );
    expect(openHolds()).toEqual([]);
    expect(await second.end()).toBe(0);
    db.close();
  });

  it('that starts at the same time leaves exactly one', async () => {
    const database = await newIndex();
    const started = await Promise.allSettled([1, 2, 3].map(() => start(database)));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = started.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const reason of reasons) expect(String(reason)).toContain('exited with 1');
  });
});
