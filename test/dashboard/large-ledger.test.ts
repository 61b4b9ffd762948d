/** A ledger of 100,000 entries as a file: whole, never in memory as a whole, and for so many at a time. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addKey, addSearches, addSomeone } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const PATH = '/dashboard/accounting.csv';
const READERS = 8;
const MB = 1024 * 1024;

const fill = async (database: string): Promise<void> => {
  addSomeone(database, { email: EVE, credits: 1 });
  const { customerId } = addSomeone(database, { email: ADA, credits: 60_000 });
  const { key } = addKey(database, customerId, 'Agent');
  const searches = { days: 50, countOf: () => 1_000 };
  addSearches(database, { customerId, keyId: key.id }, searches);
};
const server = useServer(fill, withLimits({ downloadsPerCustomerMax: READERS }));

function residentBytes(): number {
  const status = readFileSync(`/proc/${server.service.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Asks for the file and reads only the beginning of it. */
async function openStalled(cookie: string): Promise<Socket> {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  const beginning = await new Promise<string>((resolve) => {
    socket.once('data', (bytes: Buffer) => resolve(bytes.toString('latin1')));
  });
  socket.pause();
  expect(beginning).toMatch(/^HTTP\/1\.1 200 /);
  return socket;
}

describe('a large ledger', () => {
  it('downloads completely, and waits for slow readers without filling memory', async () => {
    const client = await signedInClient(server.url, ADA);
    for (const query of ['', '?status=failed', '?path=/v1/verify&from=2020-01-01']) {
      expect((await client.get(`/dashboard/requests${query}`)).status).toBe(200);
    }
    const { status, text } = await client.get(PATH);
    expect(status).toBe(200);
    // The heading, the top-up, and two entries a search.
    expect(text.trimEnd().split('\r\n')).toHaveLength(100_002);
    const fileBytes = Buffer.byteLength(text);
    expect(fileBytes).toBeGreaterThan(9 * MB);

    const before = residentBytes();
    const stalled = await Promise.all(
      Array.from({ length: READERS }, () => openStalled(client.cookie)),
    );
    await wait(3_000);
    const grown = residentBytes() - before;
    expect(grown).toBeLessThan((READERS * fileBytes) / 2);
    expect((await client.get('/dashboard')).status).toBe(200);

    // They hold all downloads that a customer has, of every kind, and none of another customer.
    for (const path of [PATH, '/dashboard/requests.csv', '/dashboard/account/export.zip']) {
      const refused = await client.get(path);
      expect([refused.status, refused.headers['x-error-code']], path).toEqual([
        ...[429, 'too_many_downloads'],
      ]);
    }
    expect((await (await signedInClient(server.url, EVE)).get(PATH)).status).toBe(200);
    // One reads on to the end, the others go away.
    const [reader, ...others] = stalled;
    reader?.resume();
    await expect.poll(async () => (await client.get(PATH)).status).toBe(200);
    for (const socket of others) socket.destroy();
    reader?.destroy();
    const both = async () => {
      const got = await Promise.all([client.get(PATH), client.get(PATH)]);
      return got.map(({ status }) => status);
    };
    await expect.poll(both).toEqual([200, 200]);
    expect((await client.get('/dashboard/accounting')).status).toBe(200);
    expect(server.service.log.filter(({ event }) => event === 'download_failed')).toEqual([]);
  });
});
