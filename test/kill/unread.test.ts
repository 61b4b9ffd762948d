/** A client that does not read fills the network's buffers: what lies beyond them has not left. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';

/** Each answer has about 70 kB; Linux takes some 4 MB between two processes of one machine. */
const SEARCHES_MAX = 200;
/** A search that is charged is charged in this time, on a busy machine, too. */
const CHARGED_MS_MAX = 10_000;

let database: string;
let secret: string;
let service: Service;

beforeAll(async () => {
  database = await copySampleIndex();
  ({ secret } = createCustomer(database));
  service = await startService(database, { VERBATIM_REQUESTS_PER_MINUTE: '100000' });
});

afterAll(async () => {
  await service.end('SIGKILL');
  await removeDatabase(database);
});

function countEntries(kind: string): number {
  const db = new Database(database);
  const count = db.prepare('SELECT count(*) FROM ledger_entries WHERE kind = ?').pluck();
  const entries = Number(count.get(kind));
  db.close();
  return entries;
}

function sendSearch(socket: Socket): void {
  const query = 'study of the effect on growth';
  const body = JSON.stringify({ query, limit: 50, fields: 'abstract' });
  const head = [
    ...['POST /v1/search HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`],
    ...['Content-Type: application/json', `Content-Length: ${body.length}`],
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Whether there are so many entries, after a while at most. */
async function hasEntries(kind: string, entries: number): Promise<boolean> {
  for (const start = Date.now(); Date.now() - start < CHARGED_MS_MAX; await sleep(50)) {
    if (countEntries(kind) >= entries) return true;
  }
  return false;
}

/** Searches, reading nothing, until one is not charged any more; there are SEARCHES_MAX at most. */
async function searchWithoutReading(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {}); // A kill may reset the connection; what has arrived counts.
  await once(socket, 'connect');
  const before = countEntries('settle');
  for (let searches = 1; searches <= SEARCHES_MAX; searches++) {
    sendSearch(socket);
    if (!(await hasEntries('settle', before + searches))) break;
  }
  return socket;
}

/** The answers that arrived with all of their body. */
function countComplete(bytes: string): number {
  let complete = 0;
  for (let start = 0; ; complete++) {
    const headEnd = bytes.indexOf('\r\n\r\n', start);
    if (headEnd < 0) return complete;
    const head = bytes.slice(start, headEnd);
    expect(head).toMatch(/^HTTP\/1\.1 200/);
    start = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (start > bytes.length) return complete;
  }
}

describe('an answer that the client does not read', () => {
  it('is released when the client disconnects', async () => {
    const socket = await searchWithoutReading();
    expect(countEntries('release')).toBe(0);
    socket.destroy();
    await expect.poll(() => countEntries('release')).toBe(1);
    expect(countEntries('hold')).toBe(countEntries('settle') + 1);
  });

  it('is not charged when the server is killed', async () => {
    const before = countEntries('settle');
    const socket = await searchWithoutReading();
    await service.end('SIGKILL');
    const arrived = countComplete((await buffer(socket)).toString('latin1'));
    expect(arrived).toBeGreaterThan(0);
    expect(countEntries('settle') - before).toBeLessThanOrEqual(arrived);
  });
});
