/** A copy whose file was damaged: who says so, what heals it, and a server that searches it meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { copyPaths, partialPaths, readLatest } from '../../../src/index/copies/copy-folder.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { startS3Stub, stubVariables } from '../../index/object-storage/s3-stub.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { damagePages } from '../../support/damage.ts';
import { withLimits } from '../../support/limits.ts';
import { PATIENT } from '../../support/patient.ts';
import {
  copySampleIndex,
  createCustomer,
  postSearch,
  removeDatabase,
  startService,
} from '../../support/service.ts';
import { runCommand } from '../../support/verbatim.ts';
import { findingsOf } from '../doctor/examination.ts';

const MODEL = 'models/verbatim-MiniLM-L6';

const top = temporaryFolder();
/** The publisher's database and folder, and a node's folder and database with accounts alone. */
let publisher: string;
let published: string;
let local: string;
let accounts: string;

/** The folders as they are before each test. */
const original = join(top, 'original');
const inFolder = (folder: string): [string, string, string] =>
  ['published', 'local', 'accounts.db'].map((name) => join(folder, name)) as never;

beforeAll(async () => {
  mkdirSync(original);
  publisher = await copySampleIndex();
  [published, local, accounts] = inFolder(original);
  openStore({ path: accounts, lockWaitMs: 0 }).close();
  await runCommand(['index', 'publish', published, '--db', publisher]);
  await runCommand(['index', 'pull', published, '--to', local]);
});
afterAll(() => removeDatabase(publisher));

beforeEach(() => {
  const folder = mkdtempSync(join(top, 'node-'));
  cpSync(original, folder, { recursive: true });
  [published, local, accounts] = inFolder(folder);
});

const newestDatabase = (folder: string): string => copyPaths(folder, readLatest(folder)).database;

async function pull(): Promise<{ new: boolean; damage: string[]; fetched_bytes: number }> {
  const args = ['index', 'pull', published, '--to', local, '--json'];
  return JSON.parse((await runCommand(args)).stdout);
}

describe('a copy with overwritten pages', () => {
  const verify = ['index', 'verify', '--read-only-index'];
  const doctor = (): ReturnType<typeof findingsOf> => {
    const settings = { database: accounts, readOnlyIndex: local, model: MODEL };
    return findingsOf('index', settings, { isFull: true });
  };

  it('is named by `index verify` and the doctor, and healed by `index pull`', async () => {
    const sound = await runCommand([...verify, local, '--db', accounts]);
    expect(sound.stdout).toContain(` checked in the copy ${readLatest(local)}\nthe index is sound`);
    expect((await doctor())[0]).toMatchObject({ severity: 'ok' });
    // A page that SQLite itself finds nothing wrong with.
    damagePages(newestDatabase(local), 'documents', {
      choose: (leaves) => leaves.slice(0, 1),
      change: (page) => page.write('never written', page.length - 100),
    });
    const damaged = await runCommand([...verify, local, '--db', accounts], { code: 1 });
    expect(damaged.stdout).toMatch(/index\.db: bytes \d+ to \d+ are not those of its manifest/);
    expect(damaged.stderr).toContain(`verbatim index pull SOURCE --to ${local}`);
    const [finding] = await doctor();
    expect(finding).toMatchObject({ severity: 'error' });
    expect(finding?.found).toContain('are not those of its manifest');
    expect(finding?.advice).toContain(`verbatim index pull SOURCE --to ${local}`);
    const healed = await runCommand(['index', 'pull', published, '--to', local]);
    expect(healed.stdout).toMatch(/^damaged: .* are not those of its manifest\n.*\n.* fetched\n$/);
    await runCommand([...verify, local, '--db', accounts]);
    expect((await doctor())[0]).toMatchObject({ severity: 'ok' });
  });

  it('is named when the setting names its folder, and not when the option names none', async () => {
    damagePages(newestDatabase(local), 'postings');
    const env = { VERBATIM_READ_ONLY_INDEX: local };
    const args = ['index', 'verify', '--db', publisher];
    const { stdout } = await runCommand([...args, '--json'], { env, code: 1 });
    expect(JSON.parse(stdout)).toMatchObject({ copy: readLatest(local), documents: 0 });
    const own = await runCommand([...args, '--read-only-index', ''], { env });
    expect(own.stdout).toMatch(/^214 documents, [\d,]+ sentences checked\nthe index is sound\n$/);
  });

  it('is healed after a pull that was killed on the way', async () => {
    const stub = await startS3Stub();
    const env = stubVariables(stub);
    const address = 's3://bucket/index';
    const staging = join(local, '..', 'staging');
    const publish = ['index', 'publish', address, '--db', publisher, '--staging', staging];
    await runCommand(publish, { env });
    const args = ['index', 'pull', address, '--to', local];
    await runCommand(args, { env });
    const path = newestDatabase(local);
    damagePages(path, 'signals');
    const { ino } = statSync(path);
    stub.faultOf = ({ key }) => (key.startsWith('index/pieces/') ? 'hang' : undefined);
    const child = spawn(process.execPath, [bundlePath(), ...args], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    const asked = () => stub.received.at(-1)?.key.startsWith('index/pieces/');
    await expect.poll(() => asked() || child.exitCode !== null).toBe(true);
    child.kill('SIGKILL');
    await closed;
    expect(existsSync(partialPaths(local, readLatest(local)).database)).toBe(true);
    expect(statSync(path).ino).toBe(ino);
    stub.faultOf = () => undefined;
    await runCommand(args, { env });
    expect(statSync(path).ino).not.toBe(ino);
    expect(existsSync(partialPaths(local, readLatest(local)).folder)).toBe(false);
    await runCommand(['index', 'verify', '--read-only-index', local, '--db', accounts]);
  });
});

describe('a server that searches a damaged copy', () => {
  it('notices by its check of the file what no search meets', async () => {
    damagePages(newestDatabase(local), 'title_keys');
    const node = await startService(accounts, {
      VERBATIM_READ_ONLY_INDEX: local,
      ...withLimits({ indexCopyCheckMs: 50 }),
      VERBATIM_FILE_CHECK_INTERVAL_HOURS: '24',
      VERBATIM_FILE_CHECK_PERCENT: '100',
    });
    onTestFinished(async () => {
      await node.end('SIGKILL');
    });
    const health = async () => (await fetch(`${node.url}/health`)).json();
    const reason = expect.stringMatching(
      /^index: \S+ bytes \d+ to \d+ are not those of its manifest/,
    );
    const damaged = [{ part: 'index', reason, since: expect.any(String) }];
    await expect.poll(health, PATIENT).toMatchObject({ status: 'ok', damaged });
    await pull();
    await expect.poll(health, PATIENT).not.toHaveProperty('damaged');
  });

  it('says so, and is well again when a pull has healed it', async () => {
    const { secret } = createCustomer(accounts, { credits: 1_000_000 });
    const node = await startService(accounts, {
      VERBATIM_READ_ONLY_INDEX: local,
      VERBATIM_REQUESTS_PER_MINUTE: '1000000',
      VERBATIM_SEARCH_THREADS: '2',
      ...withLimits({ indexCopyCheckMs: 50 }),
      // Pages are read from the file each time.
      VERBATIM_PAGE_BYTES_CACHED_MAX: '8192',
    });
    onTestFinished(async () => {
      await node.end('SIGKILL');
    });
    const health = async (): Promise<{ status: number; reason?: string }> => {
      const response = await fetch(`${node.url}/health`);
      const { reason } = (await response.json()) as { reason?: string };
      return { status: response.status, ...(reason && { reason }) };
    };
    const search = async (): Promise<Response> => postSearch(node.url, secret);
    const before = await (await search()).text();
    damagePages(newestDatabase(local), 'postings');
    damagePages(newestDatabase(local), 'signals');
    const statuses = new Set<number>();
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const response = await search();
        await response.text();
        await sleep(30);
        statuses.add(response.status);
      }
    };
    const clients = [client(), client(), client()];
    await expect.poll(async () => (await health()).status).toBe(503);
    expect((await health()).reason).toMatch(/^index: /);
    expect(await pull()).toMatchObject({ new: false, damage: [expect.stringContaining('bytes')] });
    await expect.poll(async () => (await health()).status).toBe(200);
    isOver = true;
    await Promise.all(clients);
    expect([...statuses].sort()).toEqual([200, 503]);
    expect(await (await search()).text()).toBe(before);
    expect(await health()).toEqual({ status: 200 });
    const last = node.log
      .filter(({ event }) => /^(damaged|damage_gone)$/.test(String(event)))
      .at(-1);
    expect(last).toMatchObject({ event: 'damage_gone', part: 'index' });
    const taken = node.log.filter(({ event }) => event === 'index_copy_taken_over');
    expect(taken).toMatchObject([{ copy: readLatest(local), before: readLatest(local) }]);
  });
});
