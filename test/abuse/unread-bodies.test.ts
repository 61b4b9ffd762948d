/** Answers to requests whose body nobody reads, and heads of answers whose length nobody knows. */
import { expect, it } from 'vitest';
import { openConnection, send } from '../http/contract.ts';
import { addKey, addSearches, addSomeone } from '../support/history.ts';
import { signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const CSV = '/dashboard/ledger.csv';
const SEARCHES = 1_000;

const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: SEARCHES });
    const { key } = addKey(database, customerId, 'Agent');
    const searches = { days: 1, countOf: () => SEARCHES };
    addSearches(database, { customerId, keyId: key.id }, searches);
  },
  { VERBATIM_BODY_TIMEOUT_MS: '500' },
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

it('a download is whole where a body was sent with the request', async () => {
  const { cookie, get } = await signedInClient(server.url, ADA);
  const rows = (await get(CSV)).text.split('\r\n').length;
  const text = await askWithBody(cookie, 100_000, 'x'.repeat(100_000));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toMatch(/\r\n0\r\n\r\n$/);
  expect(text.match(/,settle,/g)).toHaveLength(SEARCHES);
  expect(rows).toBeGreaterThan(2 * SEARCHES);
});

it('a download is refused where the body does not come', async () => {
  const { cookie } = await signedInClient(server.url, ADA);
  const text = await askWithBody(cookie, 100_000, 'x');
  expect(text).toMatch(/^HTTP\/1\.1 408 .*request body not received in time$/s);
});

it('the head of a download claims no length', async () => {
  const { cookie } = await signedInClient(server.url, ADA);
  const got = await send(server.url, { method: 'HEAD', path: CSV, headers: { cookie } });
  expect([got.status, got.text]).toEqual([200, '']);
  expect(got.headers['content-type']).toMatch(/^text\/csv/);
  expect(got.headers).not.toHaveProperty('content-length');
});
