/** Which redirects are followed, and which are refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/lanes/lane/provider.ts';
import { followRedirects } from '../../../src/lanes/transport/follow-redirects.ts';
import { createHttpClient } from '../../../src/lanes/transport/http-client.ts';
import { feedOf, paperEntry } from '../../support/lanes/arxiv-stub.ts';
import {
  askOnce,
  onlyArxiv,
  onlySemanticScholar,
  outcomeOf,
} from '../../support/lanes/ask-lanes.ts';
import { endpoints, papers } from '../../support/lanes/semantic-scholar-stub.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';

let stub: StubServer;
/** A third-party service. */
let inner: StubServer;
beforeAll(async () => {
  [stub, inner] = await Promise.all([startStub(), startStub(feedOf([paperEntry]))]);
});
beforeEach(() => {
  inner.requests.length = 0;
});
afterAll(() => Promise.all([stub.close(), inner.close()]));

const portOf = (server: StubServer): string => new URL(server.url).port;

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %d is followed to the same origin',
    async (status) => {
      stub.answer((request, index) =>
        index === 0
          ? { status, headers: { location: `moved?${new URLSearchParams(request.query)}` } }
          : feedOf([paperEntry])(request, index),
      );
      expect(outcomeOf(await askOnce(onlyArxiv(stub.url)))).toBe('answered');
      expect(stub.requests.at(-1)?.path).toBe('/api/moved');
    },
  );

  const refused: [what: string, location: () => string][] = [
    ['to a port of this machine', () => inner.url],
    ['to its name', () => `http://localhost:${portOf(inner)}/`],
    ['to its address as one number', () => `http://2130706433:${portOf(inner)}/`],
    ['to its address in hexadecimal', () => `http://0x7f.1:${portOf(inner)}/`],
    ['to its address in IPv6', () => `http://[::1]:${portOf(inner)}/`],
    ['to its address in IPv6 for IPv4', () => `http://[::ffff:127.0.0.1]:${portOf(inner)}/`],
    ['to no address at all', () => `http://0.0.0.0:${portOf(inner)}/`],
    ['to the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['to a private network', () => 'http://10.0.0.1/'],
    ['to a file', () => 'file:///etc/passwd'],
    ['to data', () => 'data:text/xml,<feed/>'],
    ['to nowhere', () => ''],
    ['to rubbish', () => 'http://'],
  ];
  it.each(refused)('%s is not followed', async (_what, location) => {
    stub.answer({ status: 302, headers: { location: location() } });
    const before = stub.requests.length;
    expect(outcomeOf(await askOnce(onlyArxiv(stub.url)))).toBe('failed: bad_redirect');
    expect(inner.requests).toHaveLength(0);
    expect(stub.requests.length).toBe(before + 1);
  });

  it('without an address is not followed', async () => {
    stub.answer({ status: 302 });
    expect(outcomeOf(await askOnce(onlyArxiv(stub.url)))).toBe('failed: bad_redirect');
  });

  it('in a cycle is followed three times', async () => {
    stub.answer({ status: 302, headers: { location: '/again' } });
    const before = stub.requests.length;
    expect(outcomeOf(await askOnce(onlyArxiv(stub.url)))).toBe('failed: bad_redirect');
    expect(stub.requests.length).toBe(before + 4);
  });

  it('of a POST is not followed', async () => {
    stub.answer(endpoints({ batch: { status: 307, headers: { location: '/again' } } }));
    const { documents } = await askOnce(onlySemanticScholar(stub.url, 'k'));
    expect(documents.map(({ id }) => id)).toEqual(['CorpusId:19170988']);
    expect(stub.requests.at(-1)?.path).toBe('/graph/v1/paper/batch');
  });

  it('to another origin does not carry the key', async () => {
    const location = `${inner.url}/graph`;
    stub.answer(({ path }) =>
      path === '/graph/v1/snippet/search' ? { status: 302, headers: { location } } : papers,
    );
    // The operator set both addresses, so both may be on this machine.
    const settings = { ...onlySemanticScholar(stub.url, 's2-secret'), searxngUrl: inner.url };
    await askOnce(settings);
    expect(inner.requests).toHaveLength(1);
    expect(inner.requests[0]?.headers).not.toHaveProperty('x-api-key');
    expect(stub.requests.some(({ headers }) => headers['x-api-key'] === 's2-secret')).toBe(true);
  });
});

describe('the HTTP client', () => {
  it.each([
    ['an address', () => inner.url],
    ['a name', () => `http://localhost:${portOf(inner)}`],
  ])('does not connect to an untrusted host on this machine, given as %s', async (_what, url) => {
    const client = createHttpClient({
      userAgent: 'test',
      timeoutMs: 2_000,
      responseBytesMax: 1_000,
      trustedOrigins: new Set(),
    });
    const { signal } = new AbortController();
    await expect(client.exchange({ url: new URL(url()) }, signal)).rejects.toMatchObject({
      reason: 'bad_redirect',
    });
    expect(inner.requests).toHaveLength(0);
    await client.close();
  });
});

describe('followRedirects', () => {
  const request = { url: new URL('https://a.example/x'), secretHeaders: { 'x-key': 'k' } };
  const follow = async (location: string): Promise<HttpRequest[]> => {
    const sent: HttpRequest[] = [];
    await followRedirects(request, 1, async (hop) => {
      sent.push(hop);
      const status = sent.length === 1 ? 302 : 200;
      return { status, headers: { location }, body: '' };
    });
    return sent;
  };

  it('keeps the request and its key at the same origin', async () => {
    const [, second] = await follow('/y');
    expect(second).toEqual({ ...request, url: new URL('https://a.example/y') });
  });

  it.each(['https://b.example/y', 'https://a.example:444/y', '//b.example/y'])(
    'drops the key at %s',
    async (location) => {
      const [, second] = await follow(location);
      expect(second).toEqual({ url: new URL(location, request.url) });
    },
  );

  it('drops a user name and password in the address', async () => {
    const [, second] = await follow('https://me:secret@b.example/y');
    expect(second?.url.href).toBe('https://b.example/y');
  });

  it('does not leave TLS', async () => {
    await expect(follow('http://a.example/y')).rejects.toMatchObject({ reason: 'bad_redirect' });
  });
});
