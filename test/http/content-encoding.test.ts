/** Bodies of requests are read as they are: one that says it is compressed is refused. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Caller, expectError, ledger, search } from './contract.ts';

let caller: Caller;

const service = useService({
  fill: (database) => {
    const { secret } = createCustomer(database);
    return { secret };
  },
  ready: (service, { secret }) => {
    caller = { url: service.url, secret };
  },
});

const body = JSON.stringify({ query: 'sleep', limit: 1 });

describe('Content-Encoding of a request', () => {
  it.each([
    ['gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', body],
    ['identity, gzip', gzipSync(body)],
    ['aws-chunked', body],
  ])('returns 415 for %s and names the encoding', async (encoding, bytes) => {
    const got = await search(caller, bytes, { headers: { 'content-encoding': encoding } });
    expectError(got, {
      status: 415,
      code: 'content_encoding',
      message: `a request body must not be compressed: expected no Content-Encoding, got "${encoding}"`,
    });
    expect(got.headers['accept-encoding']).toBe('identity');
  });

  it('quotes only the beginning of a very long list of encodings', async () => {
    const headers = { 'content-encoding': 'gzip,'.repeat(200) };
    const got = await search(caller, body, { headers });
    expect([got.status, got.text.length < 200]).toEqual([415, true]);
  });

  it('reports a wrong media type first', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
    const got = await search(caller, body, { headers });
    expectError(got, { status: 415, message: /^Expected request with/, code: 'media_type' });
  });

  it('charges nothing', () => {
    expect(ledger(service.database).map(({ kind }) => kind)).toEqual(['topup']);
  });

  it.each(['identity', 'Identity', ' ', 'identity, identity'])(
    '"%s" is a search like any other',
    async (encoding) => {
      const headers = { 'content-encoding': encoding };
      expect((await search(caller, body, { headers })).status).toBe(200);
    },
  );
});
