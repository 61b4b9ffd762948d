/** Clients that are slow, strange or gone: the bytes on the connection, one by one. */
import { describe, expect, it } from 'vitest';
import { withLimits } from '../support/limits.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Caller, openConnection, readUsage, search, searchHead } from './contract.ts';

const CREDITS = 100;
/** Of a body whose pieces come 20 ms apart: enough on a busy machine, too. */
const BODY_TIMEOUT_MS = 3_000;

let caller: Caller;

const service = useService({
  fill: (database) => {
    const { secret } = createCustomer(database, { credits: CREDITS });
    return { secret };
  },
  env: {
    VERBATIM_REQUESTS_PER_MINUTE: '10000',
    ...withLimits({ bodyTimeoutMs: BODY_TIMEOUT_MS }),
  },
  ready: (service, { secret }) => {
    caller = { url: service.url, secret };
  },
});

/** Sends pieces and returns all that came back until the server closed the connection. */
async function sendPieces(...pieces: string[]): Promise<{ text: string; waitedMs: number }> {
  const { socket, text, closed } = await openConnection(service.url);
  const started = performance.now();
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await closed;
  return { text: text(), waitedMs: performance.now() - started };
}

function getHead(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${caller.secret}\r\n\r\n`;
}

describe('a body that never arrives', () => {
  const rows: [name: string, pieces: () => string[]][] = [
    ['at all', () => [searchHead(caller.secret, 100)]],
    ['to its end', () => [searchHead(caller.secret, 100), '{"query":', '"sleep"']],
    [
      'to its end, in chunks',
      () => [
        searchHead(caller.secret, 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'),
        '9\r\n{"query":\r\n',
      ],
    ],
  ];

  it.each(rows)('returns 408 and closes the connection: %s', async (_name, pieces) => {
    const { text, waitedMs } = await sendPieces(...pieces());
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
    expect(text).toMatch(/\r\nratelimit-limit: \d+\r\n/i);
    expect(text).toMatch(/\r\n\r\nrequest body not received in time$/);
    expect(waitedMs).toBeGreaterThanOrEqual(BODY_TIMEOUT_MS - 50);
    // Far below what a wait without an end would take; no figure of speed.
    expect(waitedMs).toBeLessThan(60_000);
  });

  it('does not delay other errors', async () => {
    const { text } = await sendPieces(searchHead('nobody', 100), '{');
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toMatch(/\r\n\r\ninvalid or revoked api key$/);
  });

  it('charges nothing', async () => {
    expect(await readUsage(caller)).toMatchObject({ requests: 0, balance: CREDITS });
  });
});

describe('a request in pieces', () => {
  it('accepts a request in any number of packets', async () => {
    const body = JSON.stringify({ query: 'sleep', limit: 1 });
    const head = searchHead(caller.secret, body.length).replace(
      'Host',
      'Connection: close\r\nHost',
    );
    const { text } = await sendPieces(
      ...[
        head.slice(0, 9),
        head.slice(9, 40),
        head.slice(40, 90),
        head.slice(90),
        body.slice(0, 3),
        body.slice(3),
      ],
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 .*"n":1,/s);
    const whole = await search(caller, { query: 'sleep', limit: 1 });
    expect(text.endsWith(`\r\n\r\n${whole.text}`)).toBe(true);
  });
});

describe('two requests on one connection', () => {
  it('answers both in order', async () => {
    const { socket, text } = await openConnection(service.url);
    socket.write(getHead('/v1/usage'));
    await expect.poll(text).toMatch(/"balance":\d+\}$/);
    socket.write(getHead('/health'));
    await expect.poll(text).toMatch(/"balance":\d+\}HTTP\/1\.1 200 .*"uptime_s":\d+\}$/s);
    socket.destroy();
  });

  it('answers both if the first is an error', async () => {
    const { socket, text } = await openConnection(service.url);
    socket.write(`${searchHead(caller.secret, 2)}{}`);
    await expect.poll(text).toMatch(/^HTTP\/1\.1 400 .*got nothing$/s);
    socket.write(getHead('/v1/usage'));
    await expect.poll(text).toMatch(/got nothingHTTP\/1\.1 200 /);
    socket.destroy();
  });
});

describe('malformed HTTP', () => {
  it.each([
    ['rubbish', 'rub bish\r\n\r\n'],
    ['a version that does not exist', 'GET /health HTTP/7.3\r\nHost: localhost\r\n\r\n'],
    ['binary', '\u0000\u0001\u0002\u0003\r\n\r\n'],
    [
      'a length that is no number',
      'POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
    ],
    [
      'two ways to tell the length',
      'POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('rejects %s and keeps serving', async (_name, text) => {
    expect((await sendPieces(text)).text).toMatch(/^HTTP\/1\.1 (400|505) /);
    expect((await readUsage(caller)).period).toMatch(/^\d{4}-\d\d$/);
  });
});

describe('a client that disconnects', () => {
  it('is not charged if it disconnects during its request', async () => {
    const { balance } = await readUsage(caller);
    for (const bytes of [0, 20, 200, 10_000]) {
      const { socket, closed } = await openConnection(service.url);
      const whole = searchHead(caller.secret, 20_000) + ' '.repeat(10_000);
      socket.write(whole.slice(0, bytes));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
      await closed;
    }
    expect((await search(caller)).status).toBe(200);
    expect((await readUsage(caller)).balance).toBe(balance - 1);
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
