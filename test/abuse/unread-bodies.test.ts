/** Answers to requests with an unread body, and HEAD answers of unknown length. */
import { expect, it } from 'vitest';
import { openConnection, send } from '../http/contract.ts';
import { addKey, addSearches, addSomeone } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const CSV = '/dashboard/accounting.csv';
const SEARCHES = 1_000;

const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: SEARCHES });
    const { key } = addKey(database, customerId, 'Agent');
    const searches = { days: 1, countOf: () => SEARCHES };
    addSearches(database, { customerId, keyId: key.id }, searches);
  },
  withLimits({ bodyTimeoutMs: 500 }),
);

/** A request for the file that announces a body and sends so much of it. */
async function askWithBody(cookie: string, announced: number, sent: string): Promise<string> {
  const { socket, text, closed } = await openConnection(server.url);
  const lines = [`GET ${CSV} HTTP/1.1`, 'Host: localhost', `Cookie: ${cookie}`];
  lines.push('Connection: close', `Content-Length: ${announced}`, '', sent);
  socket.write(lines.join('\r\n'));
  await closed;
  return text();
}

it('a download is complete if its request has a body', async () => {
  const { cookie, get } = await signedInClient(server.url, ADA);
  const rows = (await get(CSV)).text.split('\r\n').length;
  const text = await askWithBody(cookie, 100_000, 'x'.repeat(100_000));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toMatch(/\r\n0\r\n\r\n$/);
  expect(text.match(/,Call charged,/g)).toHaveLength(SEARCHES);
  expect(rows).toBeGreaterThan(2 * SEARCHES);
});

it('a download returns 408 if the announced body does not arrive', async () => {
  const { cookie } = await signedInClient(server.url, ADA);
  const text = await askWithBody(cookie, 100_000, 'x');
  expect(text).toMatch(/^HTTP\/1\.1 408 .*request body not received in time$/s);
});

it('HEAD for a download has no Content-Length', async () => {
  const { cookie } = await signedInClient(server.url, ADA);
  const got = await send(server.url, { method: 'HEAD', path: CSV, headers: { cookie } });
  expect([got.status, got.text]).toEqual([200, '']);
  expect(got.headers['content-type']).toMatch(/^text\/csv/);
  expect(got.headers).not.toHaveProperty('content-length');
});
