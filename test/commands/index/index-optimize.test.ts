/** `index optimize`: makes a smaller file with the same answers, also beside a server. */
import { spawn } from 'node:child_process';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, inject, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { PAGE_BYTES } from '../../../src/database/sqlite/connect.ts';
import { lockForServing } from '../../../src/database/sqlite/process-lock.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { readIndex, scratchFolder } from '../../ingest/index-files.ts';
import { checkCommand, failure } from '../../support/command-line.ts';
import { withLimits } from '../../support/limits.ts';
import { startService } from '../../support/service.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

async function copyOfSample(): Promise<string> {
  const database = join(await scratchFolder(), 'index.db');
  await copyFile(inject('sampleIndex'), database);
  return database;
}

/** What a search prints. */
async function answers(database: string): Promise<unknown> {
  return runCommandJson(['search', 'does sleep help memory', '--db', database]);
}

/** Removes most documents, which leaves unused pages. */
function removeMost(database: string): void {
  const db = openStore({ path: database, lockWaitMs: 5000 });
  const ids = db.prepare('SELECT id FROM documents ORDER BY number').pluck().all() as string[];
  createIndexWriter(db).remove(ids.slice(0, 150).filter((id) => !id.includes('neuroscience')));
  db.close();
}

interface Result {
  bytesBefore: number;
  bytes: number;
  bytesUnused: number;
}

const optimize = (database: string): Promise<Result> =>
  runCommandJson<Result>(['index', 'optimize', '--db', database]);

describe('verbatim index optimize', () => {
  it('gives the space of removed documents back while a server and a reader use the file', async () => {
    const database = await copyOfSample();
    const service = await startService(database);
    removeMost(database);
    const [before, contents] = [await answers(database), readIndex(database)];
    const { bytesBefore, bytes, bytesUnused } = await optimize(database);
    expect(bytesUnused).toBe(0);
    expect(bytes).toBeLessThan(0.8 * bytesBefore);
    await expect.poll(async () => (await stat(database)).size).toBe(bytes);
    expect(await answers(database)).toEqual(before);
    expect(readIndex(database)).toEqual(contents);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(await service.end()).toBe(0);
    const { stdout: verified } = await runCommand(['index', 'verify', '--db', database]);
    expect(verified).toContain('the index is sound');
  });

  it('merges the full text into one segment, in steps', async () => {
    const database = await copyOfSample();
    removeMost(database);
    const env = withLimits({ optimizePagesPerStep: 2, optimizePauseMs: 1 });
    const { stderr } = await runCommand(['index', 'optimize', '--db', database], { env });
    expect(stderr.split('\n')).toContain('merging the full text');
    const db = new Database(database);
    const segments = db.prepare('SELECT count(DISTINCT segid) FROM documents_text_idx').pluck();
    expect(segments.get()).toBe(1);
    db.close();
  });

  it('can be killed between two steps, and goes on', async () => {
    const database = await copyOfSample();
    removeMost(database);
    const args = [bundlePath(), 'index', 'optimize', '--db', database];
    const limits = withLimits({ optimizePauseMs: 60_000 });
    const env = { ...process.env, ...limits };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect((await optimize(database)).bytesUnused).toBe(0);
  });

  it('says how a file of an earlier version can give space back', async () => {
    const database = await copyOfSample();
    const db = new Database(database);
    db.pragma('journal_mode = DELETE');
    db.pragma('auto_vacuum = NONE');
    db.exec('VACUUM');
    db.close();
    removeMost(database);
    const { stdout, stderr } = await runCommand(['index', 'optimize', '--db', database]);
    expect(stdout).toMatch(/ now, [\d.]+ [kM]B of it unused\n$/);
    expect(stderr).toContain('rewrite the file once: --rewrite');
    await runCommand(['index', 'optimize', '--rewrite', '--db', database]);
    removeMost(database);
    expect((await optimize(database)).bytesUnused).toBe(0);
  });
});

describe('verbatim index optimize --rewrite', () => {
  it('frees the space of removed documents without changing answers', async () => {
    const database = await copyOfSample();
    removeMost(database);
    const [before, contents] = [await answers(database), readIndex(database)];
    const args = ['index', 'optimize', '--rewrite', '--db', database];
    const { stdout, stderr } = await runCommand(args);
    expect(stdout).toMatch(/^\d[\d.]* MB before, \d[\d.]* [kM]B now\n$/);
    expect(stderr.split('\n')).toContain('rewriting the file');
    const { bytesBefore, bytes } = await runCommandJson<Result>(args);
    expect(bytes).toBeLessThanOrEqual(bytesBefore);
    expect((await stat(database)).size).toBe(bytes);
    expect(bytes).toBeLessThan(0.8 * (await stat(inject('sampleIndex'))).size);
    expect(await answers(database)).toEqual(before);
    expect(readIndex(database)).toEqual(contents);
    const { stdout: verified } = await runCommand(['index', 'verify', '--db', database]);
    expect(verified).toContain('the index is sound');
  });

  it('enlarges the pages of an old file', async () => {
    const database = await copyOfSample();
    const db = new Database(database);
    db.pragma('journal_mode = DELETE');
    db.pragma(`page_size = ${PAGE_BYTES / 2}`);
    db.exec('VACUUM');
    db.close();
    await runCommand(['index', 'optimize', '--rewrite', '--db', database]);
    const now = new Database(database);
    expect(now.pragma('page_size', { simple: true })).toBe(PAGE_BYTES);
    expect(now.pragma('journal_mode', { simple: true })).toBe('wal');
    now.close();
  });

  it('fails while a server or another process has the file open', async () => {
    const database = await copyOfSample();
    const unlock = await lockForServing(database);
    const served = failure('another verbatim process is serving');
    await checkCommand(database, [['index', 'optimize', '--rewrite'], served]);
    unlock();
    const reader = openStore({ path: database, lockWaitMs: 5000 });
    const env = { VERBATIM_LOCK_WAIT_MS: '50' };
    const args = ['index', 'optimize', '--rewrite', '--db', database];
    const { stderr } = await runCommand(args, { code: 1, env });
    expect(stderr).toContain(`another process uses ${database}; stop it first`);
    expect(reader.prepare('SELECT count(*) FROM documents').pluck().get()).toBeGreaterThan(0);
    reader.close();
  });
});
