/** Requests of ambiguous length, and other bytes that are not a valid request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_KEY, WEBHOOK_SECRET } from '../accounts/payments/stripe-stub.ts';
import {
  type Caller,
  expectAudited,
  logged,
  openConnection,
  readUsage,
  search,
  type Usage,
} from '../http/contract.ts';
import { useServer } from '../support/pages.ts';
import { createCustomer } from '../support/service.ts';

const CREDITS = 1_000;
const BODY = '{"query":"sleep","limit":1}';

let secret: string;
const server = useServer(
  async (database) => {
    ({ secret } = createCustomer(database, { credits: CREDITS }));
  },
  {
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  },
);
let caller: Caller;

beforeAll(() => {
  caller = { url: server.url, secret };
});

afterAll(async () => {
  expect(server.service.process.exitCode).toBeNull();
  expect(server.service.log.filter(({ level }) => level === 'error')).toEqual([]);
  await expectAudited(server.database);
});

/** All that comes back until the server closes the connection. */
async function talk(...pieces: string[]): Promise<string> {
  const { socket, text, closed } = await openConnection(server.url);
  for (const piece of pieces) socket.write(piece);
  await closed;
  return text();
}

function post(path: string, lines: readonly string[], body = BODY): string {
  const type = path.startsWith('/dashboard')
    ? 'application/x-www-form-urlencoded'
    : 'application/json';
  return [
    ...[`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`],
    ...[`Authorization: Bearer ${caller.secret}`, ...lines, '', body],
  ].join('\r\n');
}

function get(target: string, lines: readonly string[] = ['Host: localhost']): string {
  return [`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

const CHUNKED_BODY = `1b\r\n${BODY}\r\n0\r\n\r\n`;

describe.each(['/v1/search', '/dashboard/sign-in', '/webhooks/stripe'])(
  'a request to %s whose length is ambiguous',
  (path) => {
    it.each<[name: string, lines: string[], body?: string]>([
      ['two lengths, the first right', ['Content-Length: 27', 'Content-Length: 5']],
      ['two lengths, the second right', ['Content-Length: 5', 'Content-Length: 27']],
      ['two equal lengths', ['Content-Length: 27', 'Content-Length: 27']],
      ['two lengths in one line', ['Content-Length: 27, 27']],
      ['a huge and a small length', ['Content-Length: 27', `Content-Length: ${2 ** 40}`]],
      [
        'a length beside chunks',
        ['Content-Length: 27', 'Transfer-Encoding: chunked'],
        CHUNKED_BODY,
      ],
      [
        'chunks beside a length',
        ['Transfer-Encoding: chunked', 'Content-Length: 27'],
        CHUNKED_BODY,
      ],
      ['two encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip'], CHUNKED_BODY],
      ['a list of encodings', ['Transfer-Encoding: gzip, chunked'], CHUNKED_BODY],
      ['an unknown encoding', ['Transfer-Encoding: xchunked'], CHUNKED_BODY],
      ['chunks of no length', ['Transfer-Encoding: chunked'], `zz\r\n${BODY}\r\n0\r\n\r\n`],
      ['a length of nothing', ['Content-Length:']],
      ['a negative length', ['Content-Length: -5']],
      ['a length with a sign', ['Content-Length: +27']],
      ['a length in hexadecimal', ['Content-Length: 0x1b']],
      ['a length beyond all numbers', [`Content-Length: ${'9'.repeat(30)}`]],
    ])('(%s) returns 400 and closes the connection', async (_name, lines, body) => {
      const inFlight = search(caller, { query: 'sleep' });
      expect(await talk(post(path, lines, body))).toMatch(/^HTTP\/1\.1 400 /);
      // The customers on other connections never notice.
      expect((await inFlight).status).toBe(200);
    });
  },
);

describe('a header that may appear only once', () => {
  it.each([
    ['Authorization', 'Bearer sk_live_another'],
    ['Content-Type', 'application/json'],
    ['Host', 'elsewhere.example.org'],
  ])('(%s) returns 400 if it appears twice', async (name, value) => {
    const text = await talk(post('/v1/search', [`${name}: ${value}`, `Content-Length: 27`]));
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('is named in the error', async () => {
    const text = await talk(post('/v1/search', ['authorization: Bearer x', 'Content-Length: 27']));
    expect(text).toMatch(/\r\n\r\nauthorization: expected one value, got more than one$/);
  });
});

describe('bytes that are not a valid request', () => {
  it.each<[name: string, text: string, status: number]>([
    ['HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n', 505],
    ['an absolute address as target', get('http://localhost/health'), 505],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', 505],
    ['CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 505],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['the hello of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', 505],
    ['lines that end without CR', 'GET /health HTTP/1.1\nHost: localhost\n\n', 505],
    ['no Host', get('/health', []), 400],
    ['no Host among other headers', get('/health', ['Accept: */*']), 400],
    ['a folded header', get('/health', ['Host: localhost', 'X-A: b', ' c']), 400],
    ['a blank before the colon', get('/health', ['Host: localhost', 'X-A : b']), 400],
    ['a control character in a header', get('/health', ['Host: localhost', 'X-A: \u0001']), 400],
    ['a NUL in a header', get('/health', ['Host: localhost', 'X-A: \u0000']), 400],
    ['120 headers', get('/health', manyHeaders(120)), 431],
    ['20 KB of headers', get('/health', ['Host: localhost', `X-A: ${'a'.repeat(20_000)}`]), 431],
    ['an address of 20 KB', get(`/${'a'.repeat(20_000)}`), 431],
  ])('return an error without HTML: %s', async (_name, text, status) => {
    const got = await talk(text);
    expect(got.startsWith(`HTTP/1.1 ${status} `), got).toBe(true);
    expect(got).toMatch(/\r\nX-Error-Code: \w+\r\n/);
    expect(got).not.toContain('<i>');
  });

  it('do not include the headers of an ordinary browser behind a proxy', async () => {
    const text = await talk(
      get('/health', [...manyHeaders(90), `Cookie: a=${'a'.repeat(8_000)}`, 'Connection: close']),
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});

function manyHeaders(count: number): string[] {
  return ['Host: localhost', ...Array.from({ length: count }, (_, i) => `X-Header-${i}: ${i}`)];
}

describe('two requests sent at once on one connection', () => {
  const head = (): string[] => ['Content-Length: 27'];

  it('are both answered if the first needs no thread', async () => {
    const text = await talk(get('/health') + get('/health', ['Host: x', 'Connection: close']));
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });

  it.each(['in one segment', 'in two'])(
    'are rejected and not charged if the first is a search: %s',
    async (how) => {
      const before = await readUsage(caller);
      const unsent = unsentSearches();
      const pieces = [post('/v1/search', head()), post('/v1/search', head())];
      expect(await talk(...(how === 'in two' ? pieces : [pieces.join('')]))).toBe('');
      await expectNotCharged(before, unsent + 1);
    },
  );
});

/** Searches whose client was gone before the answer. */
function unsentSearches(): number {
  return logged(server.service, 'request').filter(({ sent }) => sent === false).length;
}

async function expectNotCharged(before: Usage, unsent: number): Promise<void> {
  await expect.poll(unsentSearches).toBe(unsent);
  await expectAudited(server.database);
  expect(await readUsage(caller)).toEqual(before);
}

describe('a client that closes its sending side', () => {
  it('gets an answer that needs no thread', async () => {
    const { socket, text, closed } = await openConnection(server.url);
    socket.end(get('/health'));
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('gets no answer to a search and is not charged', async () => {
    const before = await readUsage(caller);
    const unsent = unsentSearches();
    const { socket, text, closed } = await openConnection(server.url);
    socket.end(post('/v1/search', ['Content-Length: 27']));
    await closed;
    expect(text()).toBe('');
    await expectNotCharged(before, unsent + 1);
  });
});
