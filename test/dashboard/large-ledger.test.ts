/** A ledger of 100,000 entries as a file: whole, and never in memory as a whole. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addKey, addSearches, addSomeone } from '../support/history.ts';
import { signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const READERS = 8;
const MB = 1024 * 1024;

const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 60_000 });
  const { key } = addKey(database, customerId, 'Agent');
  const searches = { days: 50, countOf: () => 1_000 };
  addSearches(database, { customerId, keyId: key.id }, searches);
});

function residentBytes(): number {
  const status = readFileSync(`/proc/${server.service.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Asks for the file and reads nothing of it. */
function openStalled(cookie: string): Socket {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `GET /dashboard/activity/accounting.csv HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
  );
  return socket.pause();
}

describe('a large ledger', () => {
  it('downloads completely, and waits for slow readers without filling memory', async () => {
    const client = await signedInClient(server.url, ADA);
    for (const query of ['', '?outcome=refunded', '?kind=verify&from=2020-01-01']) {
      expect((await client.get(`/dashboard/activity${query}`)).status).toBe(200);
    }
    const { status, text } = await client.get('/dashboard/activity/accounting.csv');
    expect(status).toBe(200);
    // The heading, the top-up, and two entries a search.
    expect(text.trimEnd().split('\r\n')).toHaveLength(100_002);
    const fileBytes = Buffer.byteLength(text);
    expect(fileBytes).toBeGreaterThan(9 * MB);

    const before = residentBytes();
    const stalled = Array.from({ length: READERS }, () => openStalled(client.cookie));
    await wait(3_000);
    const grown = residentBytes() - before;
    expect(grown).toBeLessThan((READERS * fileBytes) / 2);
    expect((await client.get('/dashboard')).status).toBe(200);
    for (const socket of stalled) socket.destroy();
    expect((await client.get('/dashboard/activity/accounting')).status).toBe(200);
    expect(server.service.log.filter(({ event }) => event === 'download_failed')).toEqual([]);
  });
});
