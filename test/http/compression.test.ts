/** Answers above a size are compressed for clients that ask for it, and for nobody else. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressResponse } from '../../src/http/compress-response.ts';
import { addSomeone } from '../support/history.ts';
import { signedInClient } from '../support/pages.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import {
  bearer,
  type Caller,
  expectAudited,
  expectError,
  type Got,
  getUsage,
  search,
  send,
  untilUsage,
} from './contract.ts';

const CREDITS = 1000;
const PEOPLE = 'grace@example.org';
const UNCOMPRESSED_BYTES_MAX = 1024;
const short = { query: 'sleep', limit: 1 };
const long = { query: 'sleep', limit: 10 };
const longest = { query: 'sleep', limit: 50, fields: 'abstract' };

let service: Service;
let caller: Caller;

beforeAll(async () => {
  const database = await copySampleIndex();
  const { secret } = createCustomer(database, { credits: CREDITS });
  addSomeone(database, { email: PEOPLE, credits: 5 });
  service = await startService(database, { VERBATIM_REQUESTS_PER_MINUTE: '100000' });
  caller = { url: service.url, secret };
});

afterAll(async () => {
  await expectAudited(service.database);
  await service.end();
  await removeDatabase(service.database);
});

const accepting = (encodings: string) => ({ headers: { 'accept-encoding': encodings } });

/** The text behind an answer's encoding. */
function unpack({ headers, bytes }: Got): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'gzip') return gunzipSync(bytes).toString('utf8');
  if (encoding === 'br') return brotliDecompressSync(bytes).toString('utf8');
  expect(encoding).toBeUndefined();
  return bytes.toString('utf8');
}

/** The length is the one of the bytes that came. */
function expectLength({ headers, bytes }: Got): void {
  expect(headers['content-length']).toBe(String(bytes.length));
  expect(headers).not.toHaveProperty('transfer-encoding');
}

describe('a response', () => {
  it.each([
    ['gzip', 'gzip', long],
    ['gzip, deflate, br', 'br', long],
    ['gzip, deflate', 'gzip', longest],
    ['br;q=0, *', 'gzip', longest],
    ['br', 'br', longest],
  ])('compresses for "%s" with %s and keeps the text', async (accepted, encoding, body) => {
    const plain = await search(caller, body);
    const packed = await search(caller, body, accepting(accepted));
    expect(packed.status).toBe(200);
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(unpack(packed)).toBe(plain.text);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(packed.headers['content-type']).toBe('application/json');
    expect(packed.headers['vary']).toBe('Accept-Encoding');
    expectLength(packed);
  });

  it.each([undefined, '', 'identity', 'gzip;q=0', '*;q=0', 'deflate', 'identity, gzip;q=0.5'])(
    'to %j is as it is',
    async (accepted) => {
      for (const body of [long, longest]) {
        const got = await search(caller, body, accepted === undefined ? {} : accepting(accepted));
        expect(got.headers).not.toHaveProperty('content-encoding');
        expect(JSON.parse(got.text).results.length).toBeGreaterThanOrEqual(10);
        expect(got.headers['vary']).toBe('Accept-Encoding');
        expectLength(got);
      }
    },
  );

  it('does not compress short responses', async () => {
    const got = await search(caller, short, accepting('gzip, br'));
    expect(got.bytes.length).toBeLessThanOrEqual(UNCOMPRESSED_BYTES_MAX);
    expect(got.headers).not.toHaveProperty('content-encoding');
    expect(got.headers).not.toHaveProperty('vary');
  });

  it('computes the token budget from the text, not from the compressed bytes', async () => {
    const got = await search(caller, longest, accepting('gzip'));
    expect(got.headers['x-token-budget']).toBe(String(Math.ceil(unpack(got).length / 4)));
  });

  it('charges a compressed response', async () => {
    const account = createCustomer(service.database, { credits: 3, email: 'packed@example.org' });
    const packed = { url: service.url, secret: account.secret };
    for (const balance of ['2', '1', '0']) {
      const got = await search(packed, longest, accepting('br, gzip'));
      expect(got.headers['x-credit-balance']).toBe(balance);
    }
    await untilUsage(packed, { requests: 3, credits: 3, balance: 0 });
  });

  it('compresses concurrent responses independently', async () => {
    const encodings = ['gzip', 'br', '', 'gzip', 'br', ''];
    const account = createCustomer(service.database, { email: 'many@example.org' });
    const many = { url: service.url, secret: account.secret };
    const got = await Promise.all(encodings.map((all) => search(many, longest, accepting(all))));
    expect(got.map(({ headers }) => headers['content-encoding'] ?? '')).toEqual(encodings);
    expect(new Set(got.map(unpack)).size).toBe(1);
  });
});

describe('a response of megabytes', () => {
  it.each(['gzip', 'br'])('is compressed with %s off the event loop', async (encoding) => {
    const body = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => `abstract ${index}`));
    const answer = { status: 200, headers: { 'X-Kept': '1' }, body, mayCompress: true };
    const turn = new Promise((resolve) => setImmediate(() => resolve('the next turn')));
    const compressing = compressResponse(answer, encoding, UNCOMPRESSED_BYTES_MAX);
    expect(await Promise.race([compressing, turn])).toBe('the next turn');
    const compressed = await compressing;
    expect(compressed.headers).toEqual({
      'X-Kept': '1',
      Vary: 'Accept-Encoding',
      'Content-Encoding': encoding,
    });
    const unpacked = encoding === 'gzip' ? gunzipSync : brotliDecompressSync;
    expect(unpacked(compressed.body as Buffer).toString('utf8')).toBe(body);
  });
});

describe('what is never compressed', () => {
  const everything = { 'accept-encoding': 'gzip, deflate, br' };

  it('does not compress errors of the API or of pages', async () => {
    const fields = `abstract,${'x'.repeat(2000)}`;
    const refused = await search(caller, { query: 'x', fields }, { headers: everything });
    expectError(refused, { status: 400, message: /^fields/, code: 'bad_request' });
    const headers = { ...everything, accept: 'text/html' };
    const missing = await send(service.url, { path: '/dashboard/nothing', headers });
    expect(missing.bytes.length).toBeGreaterThan(UNCOMPRESSED_BYTES_MAX);
    expect(missing.headers).not.toHaveProperty('content-encoding');
  });

  it('does not compress pages, whose forms hold secrets', async () => {
    const client = await signedInClient(service.url, PEOPLE);
    for (const path of ['/dashboard/keys', '/dashboard/accounting?from=2026-01-01', '/docs']) {
      const got = await client.get(path, everything);
      expect([path, got.status]).toEqual([path, 200]);
      expect(got.bytes.length).toBeGreaterThan(UNCOMPRESSED_BYTES_MAX);
      expect(got.headers).not.toHaveProperty('content-encoding');
    }
  });

  it('does not compress a streamed download', async () => {
    const client = await signedInClient(service.url, PEOPLE);
    const got = await client.get('/dashboard/accounting.csv', everything);
    expect(got.headers).not.toHaveProperty('content-encoding');
    expect(got.text).toContain('Gift');
  });
});

describe('stylesheet and script', () => {
  it('are compressed, and GET and HEAD report the same length', async () => {
    const page = await send(service.url, { path: '/docs', headers: { accept: 'text/html' } });
    const assets = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)];
    expect(assets).toHaveLength(2);
    for (const [, path = ''] of assets) {
      const plain = await send(service.url, { path });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      for (const encoding of ['gzip', 'br']) {
        const headers = { 'accept-encoding': encoding };
        const got = await send(service.url, { path, headers });
        const head = await send(service.url, { method: 'HEAD', path, headers });
        expect(got.headers['content-encoding']).toBe(encoding);
        expect(unpack(got)).toBe(plain.text);
        expect(got.headers['vary']).toBe('Accept-Encoding');
        expect(got.headers['cache-control']).toContain('immutable');
        expectLength(got);
        for (const name of ['content-length', 'content-encoding', 'vary', 'content-type']) {
          expect(head.headers[name], name).toBe(got.headers[name]);
        }
        expect(head.bytes.length).toBe(0);
      }
    }
  });
});

describe('a response about a key', () => {
  it('must not be cached', async () => {
    const answers = [
      await search(caller),
      await getUsage(caller),
      await send(service.url, { path: '/health' }),
      await send(service.url, {
        method: 'HEAD',
        path: '/v1/usage',
        headers: bearer(caller.secret),
      }),
    ];
    for (const { status, headers } of answers) {
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    }
  });
});
