/**
 * A server whose disk turns read-only, and whose clock jumps, by a library that it loads first. Nobody pays
 * for a search while the disk fails, and the server goes on by itself afterward.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAudited, readUsage, search, untilHealth, untilUsage } from '../http/contract.ts';
import { inStore } from '../support/history.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { expectFailed, expectLogged, QUICK } from './faults.ts';

const CREDITS = 1000;
const DAY_SECONDS = 86_400;
const hasCompiler = spawnSync('cc', ['--version']).status === 0;

describe.skipIf(!hasCompiler)(`faults${hasCompiler ? '' : ' (skipped: no C compiler)'}`, () => {
  let database: string;
  let secret: string;
  let service: Service;

  /** Sets the error number of all writes to the database, and how far the clock is ahead. */
  function setFaults({ writeErrno = 0, clockOffsetSeconds = 0 } = {}): void {
    // Numbers of 8 bytes, as faults.c reads them. It has mapped the file, which must stay as long.
    const numbers = BigInt64Array.from([writeErrno, clockOffsetSeconds], BigInt);
    writeFileSync(join(dirname(database), 'faults'), numbers, { flag: 'r+' });
  }

  /** When the ledger says that its last entry was written. */
  function lastEntrySeconds(): number {
    const last = 'SELECT created_at FROM ledger_entries ORDER BY id DESC LIMIT 1';
    return inStore(database, (db) => Number(db.prepare(last).pluck().get()) / 1_000);
  }

  beforeAll(async () => {
    database = await copySampleIndex();
    ({ secret } = createCustomer(database, { credits: CREDITS }));
    const folder = dirname(database);
    const [library, faults] = [join(folder, 'faults.so'), join(folder, 'faults')];
    const source = join(import.meta.dirname, 'faults.c');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-o', library, source, '-ldl']);
    writeFileSync(faults, Buffer.alloc(16));
    service = await startService(database, { ...QUICK, LD_PRELOAD: library, TEST_FAULTS: faults });
  });

  afterAll(async () => {
    await service.end('SIGKILL');
    await removeDatabase(database);
  });

  it('says that the disk is read-only, charges nothing, and recovers by itself', async () => {
    const caller = { url: service.url, secret };
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 1 });
    setFaults({ writeErrno: constants.errno.EROFS });
    expectFailed(await search(caller), CREDITS - 1);
    await untilHealth(service.url, { status: 'degraded' });
    setFaults();
    await untilHealth(service.url, { status: 'ok' });
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 2, balance: CREDITS - 2 });
    expectLogged(service, [/I\/O error \(SQLITE_IOERR/]);
    await expectAudited(database);
  });

  // The second one jumps back.
  it.each([
    ['a day ahead', DAY_SECONDS],
    ['40 days behind', -40 * DAY_SECONDS],
  ])('serves and charges with its clock %s, and when it is right again', async (_what, offset) => {
    const caller = { url: service.url, secret };
    const { balance } = await readUsage(caller);
    for (const clockOffsetSeconds of [offset, 0]) {
      setFaults({ clockOffsetSeconds });
      expect((await search(caller)).status).toBe(200);
      const now = Date.now() / 1_000 + clockOffsetSeconds;
      expect(Math.abs(lastEntrySeconds() - now)).toBeLessThan(DAY_SECONDS / 2);
    }
    await untilUsage(caller, { balance: balance - 2 });
    await untilHealth(service.url, { status: 'ok' });
    await expectAudited(database);
  });
});
