/** `index optimize`: makes a smaller file with the same answers, and refuses to run beside another process. */
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, inject, it } from 'vitest';
import { PAGE_BYTES } from '../../../src/store/database/connect.ts';
import { lockForServing } from '../../../src/store/database/process-lock.ts';
import { createIndexWriter } from '../../../src/store/index/documents/index-writer.ts';
import { openStore } from '../../../src/store/open.ts';
import { readIndex, scratchFolder } from '../../ingest/index-files.ts';
import { checkCommand, failure } from '../../support/command-line.ts';
import { runJson, runVerbatim } from '../../support/verbatim.ts';

async function copyOfSample(): Promise<string> {
  const database = join(await scratchFolder(), 'index.db');
  await copyFile(inject('sampleIndex'), database);
  return database;
}

/** What a search prints. */
async function answers(database: string): Promise<unknown> {
  return runJson(['search', 'does sleep help memory', '--db', database]);
}

describe('verbatim index optimize', () => {
  it('frees the space of removed documents without changing answers', async () => {
    const database = await copyOfSample();
    const db = openStore({ path: database, lockWaitMs: 5000 });
    const ids = db.prepare('SELECT id FROM documents ORDER BY number').pluck().all() as string[];
    createIndexWriter(db).remove(ids.slice(0, 150).filter((id) => !id.includes('neuroscience')));
    db.close();
    const [before, contents] = [await answers(database), readIndex(database)];
    const { stdout, stderr } = await runVerbatim(['index', 'optimize', '--db', database]);
    expect(stdout).toMatch(/^\d[\d.]* MB before, \d[\d.]* [kM]B now\n$/);
    expect(stderr.split('\n')).toContain('rewriting the file');
    const { bytesBefore, bytes } = await runJson<{ bytesBefore: number; bytes: number }>([
      'index',
      'optimize',
      '--db',
      database,
    ]);
    expect(bytes).toBeLessThanOrEqual(bytesBefore);
    expect(bytes).toBeLessThan(0.8 * (await stat(inject('sampleIndex'))).size);
    expect(await answers(database)).toEqual(before);
    expect(readIndex(database)).toEqual(contents);
    const { stdout: verified } = await runVerbatim(['index', 'verify', '--db', database]);
    expect(verified).toContain('the index is sound');
  });

  it('enlarges the pages of an old file', async () => {
    const database = await copyOfSample();
    const db = new Database(database);
    db.pragma('journal_mode = DELETE');
    db.pragma(`page_size = ${PAGE_BYTES / 2}`);
    db.exec('VACUUM');
    db.close();
    await runVerbatim(['index', 'optimize', '--db', database]);
    const now = new Database(database);
    expect(now.pragma('page_size', { simple: true })).toBe(PAGE_BYTES);
    expect(now.pragma('journal_mode', { simple: true })).toBe('wal');
    now.close();
  });

  it('fails while a server or another process has the file open', async () => {
    const database = await copyOfSample();
    const unlock = await lockForServing(database);
    const served = failure(
      'another verbatim process is serving or migrating DATABASE; stop it first',
    );
    await checkCommand(database, [['index', 'optimize'], served]);
    unlock();
    const reader = openStore({ path: database, lockWaitMs: 5000 });
    const env = { VERBATIM_LOCK_WAIT_MS: '50' };
    const { stderr } = await runVerbatim(['index', 'optimize', '--db', database], { code: 1, env });
    expect(stderr).toContain(`another process uses ${database}; stop it first`);
    expect(reader.prepare('SELECT count(*) FROM documents').pluck().get()).toBeGreaterThan(0);
    reader.close();
  });
});
