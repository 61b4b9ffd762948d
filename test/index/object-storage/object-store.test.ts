/** The client of S3-compatible storage: signatures, conditions, retries, redirects, and bad answers. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openObjectStore } from '../../../src/index/object-storage/object-store.ts';
import type { ObjectStoreOptions } from '../../../src/index/object-storage/storage-options.ts';
import { ACCESS_KEY, type Fault, type S3Stub, SECRET_KEY, startS3Stub } from './s3-stub.ts';

let stub: S3Stub;
const { signal } = new AbortController();

beforeEach(async () => {
  stub = await startS3Stub();
});

function open(options: Partial<ObjectStoreOptions> = {}) {
  return openObjectStore({
    address: 's3://bucket/a/prefix',
    endpoint: stub.endpoint,
    region: 'us-east-1',
    pathStyle: true,
    credentials: { accessKey: ACCESS_KEY, secretKey: SECRET_KEY, sessionToken: '' },
    timeoutMs: 20_000,
    attemptsMax: 4,
    retryMs: 1,
    responseBytesMax: 1_000_000,
    ...options,
  });
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Answers the first requests with faults, the others as they should be. */
function failFirst(...faults: Fault[]): void {
  const left = [...faults];
  stub.faultOf = () => left.shift();
}

async function keysOf(store: ReturnType<typeof open>, from = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of store.list(from, signal)) keys.push(...page.map(({ key }) => key));
  return keys;
}

describe('objects', () => {
  it('are written, read, listed, and deleted under the prefix', async () => {
    const store = open();
    expect(await store.get('one', { signal })).toBeUndefined();
    expect(await store.put('one', bytes('first'), { signal })).toBe(true);
    expect([...stub.objects.keys()]).toEqual(['a/prefix/one']);
    expect((await store.get('one', { signal }))?.body.toString()).toBe('first');
    await store.delete('one', signal);
    await store.delete('one', signal);
    expect(await keysOf(store)).toEqual([]);
  });

  it('are listed in pages, with sizes and ages', async () => {
    const store = open({ address: 's3://bucket' });
    stub.keysPerPage = 2;
    for (const key of ['p/1', 'p/2', 'p/3', 'p/4', 'p/5', 'q']) {
      await store.put(key, bytes(key), { signal });
    }
    stub.age(2);
    expect(await keysOf(store, 'p/')).toEqual(['p/1', 'p/2', 'p/3', 'p/4', 'p/5']);
    for await (const page of store.list('q', signal)) {
      expect(page).toMatchObject([{ key: 'q', bytes: 1 }]);
      expect(page[0]?.ageMs).toBeGreaterThan(86_400_000);
    }
  });

  it('are written under conditions', async () => {
    const store = open();
    const isNew = { condition: { isNew: true as const }, signal };
    expect(await store.put('one', bytes('first'), isNew)).toBe(true);
    expect(await store.put('one', bytes('second'), isNew)).toBe(false);
    const { tag = '' } = (await store.get('one', { signal })) ?? {};
    const sameTag = { condition: { tag }, signal };
    expect(await store.put('one', bytes('third'), sameTag)).toBe(true);
    expect(await store.put('one', bytes('fourth'), sameTag)).toBe(false);
    expect((await store.get('one', { signal }))?.body.toString()).toBe('third');
    expect(stub.received.map(({ headers }) => headers['if-none-match'])).toContain('*');
  });

  it('are written without conditions where the storage has none', async () => {
    stub.hasConditions = false;
    const isNew = { condition: { isNew: true as const }, signal };
    expect(await open().put('one', bytes('first'), isNew)).toBe(true);
    expect(stub.objects.size).toBe(1);
  });

  it('are reached with the token of a temporary key', async () => {
    stub.sessionToken = 'temporary/+=';
    const credentials = { accessKey: ACCESS_KEY, secretKey: SECRET_KEY };
    const store = open({ credentials: { ...credentials, sessionToken: stub.sessionToken } });
    expect(await store.put('one', bytes('first'), { signal })).toBe(true);
  });
});

describe('a request', () => {
  const passing: Fault[] = [
    { status: 503, code: 'SlowDown' },
    { status: 500, code: 'InternalError' },
    { status: 400, code: 'RequestTimeout' },
    { status: 409, code: 'ConditionalRequestConflict' },
    { status: 502 },
    'reset',
    'truncate',
  ];
  it.each(passing)('is repeated after %j', async (fault) => {
    const store = open();
    await store.put('one', bytes('first and whole'), { signal });
    failFirst(fault, fault, fault);
    expect((await store.get('one', { signal }))?.body.toString()).toBe('first and whole');
    expect(stub.received).toHaveLength(5);
  });

  it('is repeated when there is no answer in time', async () => {
    const store = open({ timeoutMs: 300 });
    failFirst('hang');
    expect(await store.get('one', { signal })).toBeUndefined();
    expect(stub.received).toHaveLength(2);
  });

  it.each<[Fault, string]>([
    [{ status: 503, code: 'SlowDown', message: 'Please reduce.' }, '503 SlowDown: Please reduce.'],
    ['reset', 'no whole answer from 127.0.0.1:'],
    ['truncate', 'no whole answer from 127.0.0.1:'],
  ])('is given up after the last attempt: %j', async (fault, message) => {
    const store = open();
    await store.put('one', bytes('first'), { signal });
    stub.faultOf = () => fault;
    const failure = store.get('one', { signal });
    await expect(failure).rejects.toMatchObject({ code: 'storage_failed' });
    await expect(failure).rejects.toThrow(message);
    expect(stub.received).toHaveLength(5);
  });

  it.each<[Fault, string]>([
    [{ status: 403, code: 'AccessDenied', message: 'No.' }, 'answers 403 AccessDenied: No.'],
    [{ status: 404, code: 'NoSuchBucket' }, 'answers 404 NoSuchBucket'],
    [{ status: 418 }, 'the storage answers 418'],
    [
      { status: 307, code: 'TemporaryRedirect', location: 'http://other.example/x' },
      'redirects to other.example',
    ],
  ])('is not repeated after %j', async (fault, message) => {
    stub.faultOf = () => fault;
    await expect(open().get('one', { signal })).rejects.toThrow(message);
    expect(stub.received).toHaveLength(1);
  });

  it('goes to the region that the storage names, and stays there', async () => {
    stub.region = 'eu-west-3';
    const store = open();
    expect(await store.put('one', bytes('first'), { signal })).toBe(true);
    failFirst({ status: 301, code: 'PermanentRedirect', region: 'eu-west-3' });
    await expect(store.get('one', { signal })).rejects.toThrow('301 PermanentRedirect');
    expect((await store.get('one', { signal }))?.body.toString()).toBe('first');
  });

  it('ends with its signal, also while it waits', async () => {
    const abort = new AbortController();
    const store = open({ retryMs: 1_000_000 });
    stub.faultOf = () => ({ status: 503, code: 'SlowDown' });
    const failure = store.get('one', { signal: abort.signal });
    await expect.poll(() => stub.received.length).toBe(1);
    abort.abort(new Error('stopped'));
    await expect(failure).rejects.toThrow();
    expect(stub.received).toHaveLength(1);
  });

  it('never shows the secret, nor more of an error than one line', async () => {
    const lines = `A line.\n\t\u202e${'long '.repeat(100)}`;
    stub.faultOf = () => ({ status: 403, code: 'SignatureDoesNotMatch', message: lines });
    const error = await open()
      .get('one', { signal })
      .catch((caught: unknown) => caught as Error);
    const text = `${(error as Error).message}${(error as Error).stack}`;
    expect(text).toContain('403 SignatureDoesNotMatch: A line.');
    expect(text).not.toContain(SECRET_KEY);
    expect((error as Error).message).not.toMatch(/\p{C}/u);
    expect((error as Error).message.length).toBeLessThan(350);
  });

  it('reads no more than the limit', async () => {
    const store = open({ responseBytesMax: 100_000, attemptsMax: 1 });
    await store.put('one', new Uint8Array(200_000), { signal });
    await expect(store.get('one', { signal })).rejects.toThrow('larger than 100000 bytes');
  });

  it('refuses a listing that is none', async () => {
    stub.objects.set('a/prefix/one', { body: Buffer.from('x'), modifiedAt: Number.NaN });
    stub.faultOf = () => ({ status: 200, code: 'NotAListing' });
    await expect(keysOf(open())).rejects.toMatchObject({ code: 'storage_failed' });
  });
});

describe('an address', () => {
  it.each([
    's3://',
    's3://ab',
    's3://UPPER/x',
    's3://bucket/../x',
    's3://bucket//x',
    's3://bucket/a b',
    's3://bucket/a?b=c',
    's3://-bucket',
  ])('%s is refused', (address) => {
    expect(() => open({ address })).toThrow(/is not an address such as/);
  });

  it.each(['ftp://host', 'host:9000', 'https://user:secret@host', 'https://host/path', 'nonsense'])(
    'the endpoint %s is refused',
    (endpoint) => {
      expect(() => open({ endpoint })).toThrow(/^VERBATIM_S3_ENDPOINT must be an address/);
    },
  );

  it('needs keys and a region', () => {
    const none = { accessKey: '', secretKey: SECRET_KEY, sessionToken: '' };
    expect(() => open({ credentials: none })).toThrow('needs VERBATIM_S3_ACCESS_KEY');
    expect(() => open({ region: 'x/../y' })).toThrow('is not the name of a region');
  });
});
