/** `verbatim index publish` and `pull`, and servers that search the copies. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { copyPaths, readLatest } from '../../../src/index/copies/copy-folder.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { SECRET_KEY, startS3Stub, stubVariables } from '../../index/object-storage/s3-stub.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { withLimits } from '../../support/limits.ts';
import { createCustomer, postSearch, type Service, startService } from '../../support/service.ts';
import { runCommand, runVerbatim } from '../../support/verbatim.ts';

const VERSION = 'x-index-version';

/** The publisher's database and folder, and a node's folder and database with accounts alone. */
interface Place {
  publisher: string;
  published: string;
  local: string;
  accounts: string;
}

const top = temporaryFolder();
let here: Place;
let secret: string;

const oneCustomer = join(top, 'one-customer.db');
beforeAll(() => {
  openStore({ path: oneCustomer, lockWaitMs: 0 }).close();
  ({ secret } = createCustomer(oneCustomer, { credits: 1_000_000 }));
});

function newPlace(): Place {
  const folder = mkdtempSync(join(top, 'node-'));
  const [publisher, published, local, accounts] = ['p.db', 'published', 'local', 'a.db'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string];
  cpSync(inject('sampleIndex'), publisher);
  cpSync(oneCustomer, accounts);
  return { publisher, published, local, accounts };
}

beforeEach(() => {
  here = newPlace();
});

async function publish(place = here): Promise<{ copy: string; bytes: number; new_bytes: number }> {
  const args = ['index', 'publish', place.published, '--db', place.publisher, '--json'];
  return JSON.parse((await runCommand(args)).stdout);
}

async function pull(place = here): Promise<{ copy: string; new: boolean; fetched_bytes: number }> {
  const args = ['index', 'pull', place.published, '--to', place.local, '--json'];
  return JSON.parse((await runCommand(args)).stdout);
}

/** Removes a document, by which the index has another version. Returns its title. */
function changeIndex({ publisher }: Place): string {
  const db = openStore({ path: publisher, lockWaitMs: 5_000 });
  const [id, title] = db.prepare('SELECT id, title FROM documents').raw().get() as [string, string];
  createIndexWriter(db).remove([id]);
  db.close();
  return title;
}

async function topResult(service: Service, query: string): Promise<unknown> {
  const response = await postSearch(service.url, secret, { body: { query, limit: 1 } });
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { t: string }[] };
  return results[0]?.t;
}

describe('verbatim index publish and pull', () => {
  it('say what they did', async () => {
    const { publisher, published, local } = here;
    const first = await publish();
    expect(first.new_bytes).toBe(first.bytes);
    expect(await pull()).toMatchObject({ copy: first.copy, new: true, fetched_bytes: first.bytes });
    const again = await runCommand(['index', 'pull', published, '--to', local]);
    expect(again.stdout).toContain(`${first.copy} is here already`);
    const { stdout } = await runCommand(['index', 'publish', published, '--db', publisher]);
    expect(stdout).toMatch(/^00000001-[\da-f]{12}: 214 documents, [\d.]+ MB\nnothing has changed/);
    changeIndex(here);
    const changed = await runCommand(['index', 'publish', published, '--db', publisher]);
    expect(changed.stdout).toMatch(/^00000002-[\da-f]{12}: 213 documents, .*\n[\d.]+ .B differ/);
  });

  it('refuse an empty index, a missing database, a missing copy, and no folder', async () => {
    const failed = async (args: string[], code = 1): Promise<string> =>
      (await runCommand(['index', ...args], { code })).stderr;
    const missing = join(top, 'none.db');
    const { published, local, accounts } = here;
    expect(await failed(['publish', published, '--db', accounts])).toContain('is empty');
    expect(await failed(['publish', published, '--db', missing])).toContain('there is no database');
    expect(await failed(['pull', published, '--to', local])).toContain('no copy of an index');
    expect(await failed(['pull', published], 2)).toContain('name a folder with --to');
  });

  it('leave a publisher that is killed with a copy that can be pulled', async () => {
    const { publisher, published, local } = here;
    await publish();
    changeIndex(here);
    const args = [bundlePath(), 'index', 'publish', published, '--db', publisher];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const closed = once(child, 'close');
    const partial = join(published, 'versions', 'new.partial', 'index.db');
    await expect.poll(() => existsSync(partial) || child.exitCode !== null).toBe(true);
    child.kill('SIGKILL');
    await closed;
    expect(await pull()).toMatchObject({ new: true });
    expect(readLatest(local)).toBe(readLatest(published));
    await publish();
    const names = readdirSync(join(published, 'versions'));
    expect(names.filter((name) => name.endsWith('partial'))).toEqual([]);
    await pull();
  });
});

describe('verbatim index publish and pull with storage', () => {
  const address = 's3://bucket/index';
  const staging = () => join(here.local, '..', 'staging');

  it('say what they did, and never a secret', async () => {
    const stub = await startS3Stub();
    const env = stubVariables(stub);
    const { publisher, local } = here;
    const args = ['index', 'publish', address, '--db', publisher, '--staging', staging()];
    const published = await runCommand([...args, '--json'], { env });
    const { copy, bytes, sent_bytes: sentBytes } = JSON.parse(published.stdout);
    expect(sentBytes).toBe(bytes);
    const pulled = await runCommand(['index', 'pull', address, '--to', local], { env });
    expect(pulled.stdout).toContain(`${copy}: 214 documents`);
    expect(readLatest(local)).toBe(copy);
    const again = await runCommand(args, { env });
    expect(again.stdout).toContain('\n0 B sent\n');
    stub.faultOf = () => ({ status: 403, code: 'AccessDenied' });
    const refused = await runCommand(['index', 'pull', address, '--to', local], { env, code: 1 });
    expect(refused.stderr).toContain(`${address}: the storage answers 403 AccessDenied`);
    const config = await runCommand(['config'], { env });
    for (const { stdout, stderr } of [published, pulled, again, refused, config]) {
      expect(stdout + stderr).not.toContain(SECRET_KEY);
    }
  });

  it('name what is missing or wrong', async () => {
    const failed = async (args: string[], env: Record<string, string> = {}): Promise<string> =>
      (await runCommand(['index', ...args], { env, code: 2 })).stderr;
    const { local } = here;
    const pull = ['pull', address, '--to', local];
    expect(await failed(pull)).toContain('needs VERBATIM_S3_ACCESS_KEY');
    expect(await failed(['pull', 's3://Bucket', '--to', local])).toContain('s3://bucket/prefix');
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    const endpoint = { ...keys, AWS_ENDPOINT_URL: 'storage.example' };
    expect(await failed(pull, endpoint)).toContain('VERBATIM_S3_ENDPOINT must be an address');
    expect(existsSync(local)).toBe(false);
  });

  it('leave a copy that can be pulled when the publisher is killed', async () => {
    const stub = await startS3Stub();
    const env = stubVariables(stub);
    const { publisher, local } = here;
    const args = ['index', 'publish', address, '--db', publisher, '--staging', staging()];
    await runCommand(args, { env });
    const before = [...stub.objects.keys()];
    changeIndex(here);
    stub.faultOf = ({ method, key }) =>
      method === 'PUT' && key.startsWith('index/manifests/') ? 'hang' : undefined;
    const child = spawn(process.execPath, [bundlePath(), ...args], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    const isUploaded = () => {
      const { method, key } = stub.received.at(-1) ?? {};
      return method === 'PUT' && key?.startsWith('index/manifests/') === true;
    };
    await expect.poll(() => isUploaded() || child.exitCode !== null).toBe(true);
    child.kill('SIGKILL');
    await closed;
    stub.faultOf = () => undefined;
    expect(stub.objects.size).toBeGreaterThan(before.length);
    await runCommand(['index', 'pull', address, '--to', local], { env });
    expect(readLatest(local)).toMatch(/^00000001-/);
    await runCommand(args, { env });
    await runCommand(['index', 'pull', address, '--to', local], { env });
    expect(readLatest(local)).toBe(readLatest(staging()));
    expect(readLatest(local)).not.toMatch(/^00000001-/);
  });
});

describe('a server that reads copies', () => {
  let place: Place;
  let node: Service;
  beforeAll(async () => {
    place = newPlace();
    await publish(place);
    await pull(place);
    node = await startService(place.accounts, {
      VERBATIM_READ_ONLY_INDEX: place.local,
      VERBATIM_REQUESTS_PER_MINUTE: '1000000',
      VERBATIM_SEARCH_THREADS: '2',
      ...withLimits({ indexCopyCheckMs: 50 }),
    });
  });
  afterAll(async () => {
    const errors = node.log.filter(({ level }) => level === 'error');
    // One copy cannot be used: see below.
    expect(errors.map(({ event }) => event)).toEqual(['index_copy_refused']);
    expect(await node.end()).toBe(0);
  });

  it('answers as the publisher does, with the same index version', async () => {
    createCustomer(place.publisher, { email: 'bob@example.org' });
    const { secret: own } = createCustomer(place.publisher);
    const original = await startService(place.publisher);
    onTestFinished(async () => void (await original.end('SIGKILL')));
    const answers = await Promise.all([
      postSearch(node.url, secret),
      postSearch(original.url, own),
    ]);
    const [copied, whole] = await Promise.all(answers.map((answer) => answer.text()));
    expect(copied).toBe(whole);
    const versions = answers.map(({ headers }) => headers.get(VERSION));
    expect(versions[0]).toBe(versions[1]);
    const healths = await Promise.all(
      [node, original].map(async ({ url }) => {
        const health = await fetch(`${url}/health`);
        const { documents, sentences } = (await health.json()) as Record<string, unknown>;
        return { documents, sentences, version: health.headers.get(VERSION) };
      }),
    );
    expect(healths[0]).toEqual(healths[1]);
    expect(healths[0]?.version).toBe(versions[0]);
  });

  it('takes a newer copy over without a failed search', async () => {
    const statuses = new Set<number>();
    const versions = new Set<string | null>();
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const response = await postSearch(node.url, secret);
        await response.text();
        statuses.add(response.status);
        versions.add(response.headers.get(VERSION));
        // As fast as they can, two clients leave the commands no processor.
        await sleep(20);
      }
    };
    const clients = [client(), client()];
    for (let round = 1; round <= 2; round++) {
      await expect.poll(() => versions.size).toBe(round);
      const removed = changeIndex(place);
      expect(await topResult(node, removed)).toBe(removed);
      await publish(place);
      await pull(place);
      await expect.poll(() => topResult(node, removed)).not.toBe(removed);
    }
    await expect.poll(() => versions.size).toBe(3);
    isOver = true;
    await Promise.all(clients);
    expect([...statuses]).toEqual([200]);
    const takenOver = () => node.log.filter(({ event }) => event === 'index_copy_taken_over');
    await expect.poll(() => takenOver().at(-1)?.['copy']).toBe(readLatest(place.local));
  });

  it('searches on when a newer copy cannot be used, and says so once', async () => {
    const { local } = place;
    const before = readLatest(local);
    const broken = '00000099-0123456789ab';
    cpSync(copyPaths(local, before).folder, copyPaths(local, broken).folder, { recursive: true });
    writeFileSync(
      copyPaths(local, broken).database,
      'no database at all, but long enough to be read',
    );
    // Like a pull, so that the server never reads half a file.
    const nameLatest = (copy: string): void => {
      writeFileSync(join(local, 'latest.json.new'), JSON.stringify({ copy }));
      renameSync(join(local, 'latest.json.new'), join(local, 'latest.json'));
    };
    nameLatest(broken);
    const refused = () => node.log.filter(({ event }) => event === 'index_copy_refused');
    await expect.poll(() => refused().length).toBe(1);
    expect(refused()[0]).toMatchObject({ searched: before });
    expect((await postSearch(node.url, secret)).status).toBe(200);
    nameLatest(before);
    expect((await postSearch(node.url, secret)).status).toBe(200);
    expect(refused()).toHaveLength(1);
    // The index version does not name the broken copy.
    expect((await fetch(`${node.url}/health`)).status).toBe(200);
  });
});

describe('verbatim serve --read-only-index', () => {
  it('reads copies that it cannot write, in folders that it cannot write', async () => {
    const { published, accounts } = here;
    await publish();
    const makeReadOnly = (path: string): void => {
      chmodSync(path, statSync(path).isDirectory() ? 0o555 : 0o444);
    };
    for (const name of readdirSync(published, { recursive: true, encoding: 'utf8' })) {
      makeReadOnly(join(published, name));
    }
    makeReadOnly(published);
    onTestFinished(() => {
      execFileSync('chmod', ['-R', 'u+w', published]);
    });
    // As another user in a namespace of its own, whom root's rights do not help.
    const asNobody =
      process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
    const before = readdirSync(published, { recursive: true }).sort();
    const node = await startService(accounts, { VERBATIM_READ_ONLY_INDEX: published }, asNobody);
    onTestFinished(async () => {
      await node.end('SIGKILL');
    });
    expect((await postSearch(node.url, secret)).status).toBe(200);
    expect(readdirSync(published, { recursive: true }).sort()).toEqual(before);
  });

  it('answers `verbatim search` as well', async () => {
    await publish();
    const args = ['search', 'does sleep help memory', '--db', here.accounts, '--json'];
    const env = { VERBATIM_READ_ONLY_INDEX: here.published };
    const { stdout } = await runCommand(args, { env });
    expect(JSON.parse(stdout).results.length).toBeGreaterThan(0);
  });

  it('refuses a folder without a copy, and learning', async () => {
    const env = { VERBATIM_READ_ONLY_INDEX: here.published };
    const args = ['serve', '--db', here.accounts, '--port', '0'];
    const run = (more: Record<string, string> = {}, code = 1) =>
      runVerbatim(args, { env: { ...env, ...more }, code });
    expect((await run()).stderr).toContain('there is no copy of an index');
    await publish();
    expect((await run({ VERBATIM_LEARN: 'true' }, 2)).stderr).toContain('VERBATIM_LEARN adds');
  });
});
