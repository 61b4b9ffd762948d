/** Copies in S3-compatible storage: what is sent and fetched, and what faults and others do. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { copyPaths, readLatest } from '../../../src/index/copies/copy-folder.ts';
import { createObjectCopies, objectSource } from '../../../src/index/copies/object-copies.ts';
import {
  type PublishObjectsOptions,
  publishObjects,
} from '../../../src/index/copies/publish-objects.ts';
import { uploadCopy } from '../../../src/index/copies/upload.ts';
import { openObjectStore } from '../../../src/index/object-storage/object-store.ts';
import { ACCESS_KEY, type S3Stub, SECRET_KEY, startS3Stub } from '../object-storage/s3-stub.ts';
import { type CopiesWorld, createCopiesWorld, overwrite } from './copies-world.ts';

/** Several pieces. */
const DOCUMENTS = 2200;
const REQUESTS = 3;
const { signal } = new AbortController();

let stub: S3Stub;
let world: CopiesWorld;

beforeEach(async () => {
  stub = await startS3Stub();
  world = await createCopiesWorld(DOCUMENTS);
});

function copies() {
  return createObjectCopies(
    openObjectStore({
      address: 's3://bucket/index',
      endpoint: stub.endpoint,
      region: 'us-east-1',
      pathStyle: true,
      credentials: { accessKey: ACCESS_KEY, secretKey: SECRET_KEY, sessionToken: '' },
      timeoutMs: 60_000,
      attemptsMax: 3,
      retryMs: 1,
      responseBytesMax: 1_000_000,
    }),
  );
}

function publish(options: Partial<PublishObjectsOptions> = {}) {
  return publishObjects(copies(), {
    folder: world.published,
    database: world.database,
    lockWaitMs: 1000,
    keep: 2,
    requestsMax: REQUESTS,
    isRead: false,
    signal,
    beforeStep() {},
    onProgress() {},
    showBytes() {},
    now: () => new Date(),
    ...options,
  });
}

const pull = () => world.pull({ from: objectSource(copies(), REQUESTS) });

function keys(part: string): string[] {
  return [...stub.objects.keys()].filter((key) => key.startsWith(`index/${part}`));
}

function expectSame(): void {
  expect(readLatest(world.local)).toBe(readLatest(world.published));
  expect(world.newestBytes(world.local).equals(world.newestBytes(world.published))).toBe(true);
}

describe('a copy in storage', () => {
  it('is sent once, fetched once, and then only what has changed', async () => {
    const first = await publish();
    expect(first.sentBytes).toBe(first.manifest.bytes);
    expect(await pull()).toMatchObject({ isNew: true, fetchedBytes: first.manifest.bytes });
    expectSame();
    expect(await pull()).toMatchObject({ isNew: false, fetchedBytes: 0 });
    world.add(DOCUMENTS + 1, 1);
    const second = await publish();
    expect(second.sentBytes).toBeLessThan(second.manifest.bytes);
    expect(second.sentBytes).toBeGreaterThan(0);
    expect(await pull()).toMatchObject({ isNew: true, fetchedBytes: second.sentBytes });
    expectSame();
  });

  it('is the newest only when all of it is there', async () => {
    const { name } = await publish();
    world.add(DOCUMENTS + 1, 500);
    const steps: string[] = [];
    stub.faultOf = ({ method, key }) => {
      if (method === 'PUT') steps.push(key.split('/')[1] as string);
      return undefined;
    };
    const second = await publish();
    expect(second.name).not.toBe(name);
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.slice(0, -2).every((step) => step === 'pieces')).toBe(true);
    expect(steps.slice(-2)).toEqual(['manifests', 'latest.json']);
  });

  it('goes on after an interruption in any request, and the copy before stays whole', async () => {
    const first = await publish();
    world.add(DOCUMENTS + 1, 800);
    let requests = 0;
    let failing = 0;
    const fail = () =>
      ++requests > failing ? ({ status: 403, code: 'Denied' } as const) : undefined;
    for (failing = 0; ; failing += 2) {
      requests = 0;
      stub.faultOf = fail;
      const done = await publish().catch((error: unknown) => error);
      stub.faultOf = () => undefined;
      if (!(done instanceof Error)) break;
      expect(done).toMatchObject({ code: 'storage_failed' });
      const latest = await copies().latest(signal);
      expect(latest?.name === first.name || failing > 3).toBe(true);
      await pull();
      expect(readLatest(world.local)).toBe(latest?.name);
    }
    await pull();
    expectSame();
  });

  it('is fetched in spite of broken, truncated, and garbled answers, and resumed', async () => {
    const { manifest } = await publish();
    let count = 0;
    stub.faultOf = ({ key }) =>
      key.startsWith('index/pieces/')
        ? (['reset', 'truncate', 'garble', undefined, undefined] as const)[count++ % 5]
        : undefined;
    // Some requests may meet three faults one after the other.
    for (
      let attempts = 0;
      attempts < 20 && !existsSync(join(world.local, 'latest.json'));
      attempts++
    ) {
      await pull().catch((error: Error) =>
        expect(error.message).toMatch(/damaged|no whole answer/),
      );
    }
    expectSame();
    const pieces = new Set(manifest.pieces).size;
    expect(count).toBeLessThan(20 * pieces);
  });

  it('is refused if a piece is missing or damaged, and the copy before stays', async () => {
    const { name } = await publish();
    await pull();
    world.add(DOCUMENTS + 1, 500);
    const before = new Set(keys('pieces/'));
    await publish();
    const [piece = ''] = keys('pieces/').filter((key) => !before.has(key));
    const stored = stub.objects.get(piece);
    stub.objects.delete(piece);
    await expect(pull()).rejects.toThrow('is missing');
    stub.objects.set(piece, { body: Buffer.from('no piece'), modifiedAt: Date.now() });
    await expect(pull()).rejects.toMatchObject({ code: 'verify_failed' });
    expect(readLatest(world.local)).toBe(name);
    if (stored !== undefined) stub.objects.set(piece, stored);
    await pull();
    expectSame();
  });

  it('is repaired by the next one if its manifest is damaged', async () => {
    const { name } = await publish();
    const key = `index/manifests/${name}.json`;
    stub.objects.set(key, { body: Buffer.from('{}'), modifiedAt: Date.now() });
    await expect(pull()).rejects.toMatchObject({ code: 'verify_failed' });
    world.add(DOCUMENTS + 1, 1);
    rmSync(world.published, { recursive: true });
    await publish();
    await pull();
    expectSame();
  });

  it('is published from any machine, with a folder that is lost or behind', async () => {
    await publish();
    rmSync(world.published, { recursive: true });
    world.add(DOCUMENTS + 1, 1);
    const second = await publish();
    expect(second.name).toMatch(/^00000002-/);
    expect(second.sentBytes).toBeLessThan(second.manifest.bytes);
    await pull();
    expectSame();
  });
});

/** Overwrites a stored object, whose size stays. */
function garble(key: string): void {
  const stored = stub.objects.get(key);
  if (stored === undefined) throw new Error(`there is no ${key}`);
  stub.objects.set(key, { ...stored, body: stored.body.map((byte) => byte ^ 1) as Buffer });
}

describe('what is damaged in storage', () => {
  it('is sent again by the next publish, without a new copy', async () => {
    const { name } = await publish();
    const [first = '', second = '', third = ''] = keys('pieces/');
    garble(first);
    stub.objects.delete(second);
    stub.objects.set(third, { body: Buffer.from('half'), modifiedAt: Date.now() });
    garble(`index/manifests/${name}.json`);
    await expect(pull()).rejects.toMatchObject({ code: 'verify_failed' });
    const again = await publish();
    expect(again).toMatchObject({ name, isNew: false, sentBytes: again.manifest.bytes });
    await pull();
    expectSame();
    expect(await publish()).toMatchObject({ name, sentBytes: 0 });
    expect(keys('manifests/')).toHaveLength(1);
  });

  it('is replaced if it is what names the newest copy, and is not somebody else’s', async () => {
    const { name } = await publish();
    garble('index/latest.json');
    await expect(pull()).rejects.toThrow('does not name a copy of an index');
    expect((await publish()).name).toBe(name);
    await pull();
    expectSame();
    stub.objects.clear();
    stub.objects.set('index/latest.json', { body: Buffer.from('mine'), modifiedAt: 0 });
    await expect(publish()).rejects.toThrow('does not name a copy of an index');
    expect([...stub.objects.keys()]).toEqual(['index/latest.json']);
  });

  it('is found by reading where the storage lists no MD5', async () => {
    // As long as an MD5, but another hash.
    stub.tagOf = (body) => createHash('sha256').update(body).digest('hex').slice(0, 32);
    const { name } = await publish();
    const [first = ''] = keys('pieces/');
    garble(first);
    expect(await publish()).toMatchObject({ name, sentBytes: 0 });
    await expect(pull()).rejects.toThrow(
      'is damaged; where the index is built, run: verbatim index publish s3://bucket/index --reread',
    );
    const bytes = stub.objects.get(first)?.body.length;
    expect(await publish({ isRead: true })).toMatchObject({ name, sentBytes: bytes });
    await pull();
    expectSame();
    expect(await publish({ isRead: true })).toMatchObject({ name, sentBytes: 0 });
  });

  it('comes back from it if the folder of the publisher is damaged, and only then', async () => {
    const { name } = await publish();
    overwrite(copyPaths(world.published, name).database, 40_960);
    stub.received.length = 0;
    expect(await publish()).toMatchObject({ name, isNew: false, sentBytes: 0 });
    const read = stub.received.filter(
      ({ method, key }) => method === 'GET' && key.startsWith('index/pieces/'),
    );
    expect(read).toHaveLength(1);
    // Both: the copy is written anew.
    overwrite(copyPaths(world.published, name).database, 40_960);
    for (const key of keys('pieces/')) garble(key);
    const anew = await publish();
    expect(anew).toMatchObject({ isNew: true, sentBytes: anew.manifest.bytes });
    await pull();
    expectSame();
  });
});

describe('two publishers', () => {
  it('do not replace each other unseen', async () => {
    await publish();
    world.add(DOCUMENTS + 1, 1);
    const other = '00000009-0123456789ab';
    stub.faultOf = ({ method, key }) => {
      // Somebody else is faster by a request.
      if (method === 'PUT' && key.startsWith('index/manifests/')) {
        const body = Buffer.from(JSON.stringify({ copy: other }));
        stub.objects.set('index/latest.json', { body, modifiedAt: Date.now() });
      }
      return undefined;
    };
    await expect(publish()).rejects.toMatchObject({ code: 'database_busy' });
    expect((await copies().latest(signal))?.name).toBe(other);
  });

  it('know their own copy when the answer to the last request was lost', async () => {
    await publish();
    world.add(DOCUMENTS + 1, 1);
    let isLost = false;
    stub.faultOf = ({ method, key }) => {
      if (method !== 'PUT' || key !== 'index/latest.json' || isLost) return undefined;
      isLost = true;
      return 'forget';
    };
    const { name } = await publish();
    expect(isLost).toBe(true);
    expect((await copies().latest(signal))?.name).toBe(name);
  });
});

describe('old copies', () => {
  it('are deleted with the pieces that no other needs, but no piece of an upload', async () => {
    const names: string[] = [];
    for (let count = 0; count < 3; count++) {
      names.push((await publish()).name);
      world.add(DOCUMENTS + 1 + 300 * count, 300);
    }
    expect(keys('manifests/')).toEqual(
      names.slice(1).map((name) => `index/manifests/${name}.json`),
    );
    const before = keys('pieces/').length;
    stub.age(2);
    const ofAnother = `index/pieces/${'0'.repeat(64)}`;
    stub.objects.set(ofAnother, { body: Buffer.from('x'), modifiedAt: Date.now() });
    await publish();
    expect(keys('pieces/')).toContain(ofAnother);
    stub.age(2);
    await publish();
    expect(keys('pieces/')).not.toContain(ofAnother);
    expect(keys('pieces/').length).toBeLessThan(before + 10);
    const used = new Set<string>();
    for (const name of await copies().names(signal)) {
      for (const piece of (await copies().manifest(name, signal)).manifest.pieces) used.add(piece);
    }
    expect(keys('pieces/').sort()).toEqual(
      [...used].map((piece) => `index/pieces/${piece}`).sort(),
    );
    await pull();
    expectSame();
  });

  it('keep their pieces while a manifest is damaged', async () => {
    await publish();
    world.add(DOCUMENTS + 1, 300);
    const { name } = await publish();
    world.add(DOCUMENTS + 301, 300);
    stub.age(2);
    const count = keys('pieces/').length;
    const key = `index/manifests/${name}.json`;
    stub.objects.set(key, { body: Buffer.from('{}'), modifiedAt: Date.now() });
    await publish();
    expect(keys('pieces/').length).toBeGreaterThanOrEqual(count);
  });
});

it('a damaged file of the publisher is never sent', async () => {
  const { name } = await publish();
  const { database } = copyPaths(world.published, name);
  const bytes = readFileSync(database);
  writeFileSync(database, bytes.fill(7, bytes.length - 100));
  stub.objects.clear();
  const upload = uploadCopy(copies(), {
    folder: world.published,
    name,
    keep: 2,
    requestsMax: REQUESTS,
    isRead: false,
    onProgress() {},
    signal,
  });
  await expect(upload).rejects.toThrow('is damaged');
  expect(keys('manifests/')).toEqual([]);
  expect(keys('latest.json')).toEqual([]);
});
