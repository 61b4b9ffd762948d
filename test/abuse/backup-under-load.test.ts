/**
 * A backup is made while clients search and a build writes. It is one state: the ledger adds up, the
 * index is sound, and a server serves it.
 */
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { walBytes } from '../../src/database/sqlite/wal.ts';
import { samplePath } from '../../src/settings/bundle.ts';
import { addAccount, type Caller, expectAudited, search, untilUsage } from '../http/contract.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';
import { runCommand, runCommandJson, runVerbatim } from '../support/verbatim.ts';

const CLIENTS = 4;
const CREDITS = 100_000;
/** Slow enough that the build writes many batches meanwhile. */
const SLOWLY = { VERBATIM_BACKUP_BYTES_PER_SECOND_MAX: '2000000' };
const SMALL_BATCHES = { VERBATIM_DOCUMENTS_PER_BATCH: '4' };

const folder = mkdtempSync(join(temporaryFolder(), 'load-'));
let service: Service;
let caller: Caller;

beforeAll(async () => {
  service = await startService(await copySampleIndex(), {
    VERBATIM_REQUESTS_PER_MINUTE: '1000000',
    VERBATIM_IN_FLIGHT_PER_KEY_MAX: '64',
  });
  caller = addAccount(service, { credits: CREDITS });
});

afterAll(async () => {
  await service.end('SIGKILL');
  await removeDatabase(service.database);
});

/** New papers: those of the sample with other ids and titles. */
function writePapers(): string {
  const path = join(folder, 'papers.jsonl');
  const lines = readFileSync(join(samplePath(), 'ecology.jsonl'), 'utf8').trim().split('\n');
  const papers = Array.from({ length: 8 }, (_, copy) =>
    lines.map((line, index) => {
      const { abstract } = JSON.parse(line) as { abstract: string };
      return JSON.stringify({
        id: `new:${copy}-${index}`,
        title: `Paper ${copy} ${index}`,
        abstract,
      });
    }),
  );
  writeFileSync(path, papers.flat().join('\n'));
  return path;
}

describe('a backup under load', () => {
  it('is one state, is restored, audited, verified, and served', async () => {
    let isOver = false;
    let answered = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        expect((await search(caller)).status).toBe(200);
        answered++;
      }
    });
    const { database } = service;
    const adding = runVerbatim(['index', 'add', writePapers(), '--db', database], {
      env: SMALL_BATCHES,
    });
    const backup = join(folder, 'backup.db');
    await runVerbatim(['backup', backup, '--db', database], { env: SLOWLY });
    const answeredMeanwhile = answered;
    await adding;
    isOver = true;
    await Promise.all(clients);
    expect(answeredMeanwhile).toBeGreaterThan(CLIENTS);

    const restored = join(folder, 'verbatim.db');
    const { entries, problems } = await runCommandJson<{ entries: number; problems: string[] }>([
      ...['restore', backup, '--db', restored],
    ]);
    expect(problems).toEqual([]);
    expect(entries).toBeGreaterThan(1);
    const { stdout } = await runCommand(['index', 'verify', '--db', restored]);
    expect(stdout).toContain('the index is sound');
    const documents = async (path: string): Promise<number> =>
      (await runCommandJson<{ documents: number }>(['index', 'stats', '--db', path])).documents;
    expect(await documents(restored)).toBeLessThan(await documents(database));

    const again = await startService(restored);
    expect((await search({ ...caller, url: again.url })).status).toBe(200);
    expect(await again.end()).toBe(0);
    await expectAudited(restored);
    await untilUsage(caller, { balance: CREDITS - answered });
    await expectAudited(database);
    expect(walBytes(database)).toBeLessThan(64 * 1024 * 1024);
  });

  it('takes what was committed right before it began', async () => {
    const original = join(folder, 'original.db');
    copyFileSync(inject('sampleIndex'), original);
    await runCommand(['customer', 'add', 'bob@example.org', '--credits', '7', '--db', original]);
    await runCommand(['backup', join(folder, 'second.db'), '--db', original]);
    const customers = await runCommandJson(['customer', 'list', '--db', join(folder, 'second.db')]);
    expect(customers).toMatchObject([{ email: 'bob@example.org', balance: 7 }]);
  });
});
