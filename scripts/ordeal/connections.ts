/** Thousands of idle connections, slow senders, and slow readers beside a client that searches. */
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { auditServed } from '../measure/accounts.ts';
import { searchOneByOne, searchRequest, type Target } from '../measure/clients.ts';
import { atMost, say } from '../measure/report.ts';
import { sampleTitles } from '../measure/sample.ts';
import { median } from '../measure/statistics.ts';
import type { Ordeal, SectionReport } from './ordeal.ts';

const SEARCHES = 40;
/** Connections that are opened at a time. */
const OPENED_AT_ONCE = 200;
const SLOW_BYTE_MS = 500;
/** Beyond the server's time limit of a body. */
const SLOW_BODY_MS_MAX = 15_000;
const SLOW_READ_MS = 3_000;
const LATENCY_RATIO_MAX = 3;
const BYTES_PER_CONNECTION_MAX = 20_000;
const QUESTION = 'does sleep help memory';

export async function connections({ options, start }: Ordeal): Promise<SectionReport> {
  const { server, database, secret } = await start('connections');
  const target: Target = { port: server.port, secret };
  const wrong: string[] = [];
  const timeSearches = async (): Promise<number> => {
    const { milliseconds, failures } = await searchOneByOne(
      target,
      sampleTitles().slice(0, SEARCHES),
    );
    wrong.push(...failures);
    return median(milliseconds);
  };
  const alone = await timeSearches();
  const before = server.residentBytes() ?? 0;
  say(`  ${options.idle} idle connections …`);
  const idle = await openIdle(server.port, options.idle);
  const withIdle = await timeSearches();
  const grown = Math.max(0, (server.residentBytes() ?? 0) - before) / idle.length;
  say(`  ${options.slow} slow senders and readers …`);
  const senders = Array.from({ length: options.slow }, () => sendSlowly(target));
  const readers = Array.from({ length: options.slow }, () => readSlowly(target));
  const withSlow = await timeSearches();
  const sent = await Promise.all(senders);
  const read = await Promise.all(readers);
  for (const socket of idle) socket.destroy();
  await server.stop();
  const readersServed = read.filter((status) => status === '200').length;
  const timely = sent.filter((status) => status === '408').length;
  const slowest = Math.max(withIdle, withSlow) / alone;
  wrong.push(...auditServed(database, 3 * SEARCHES + readersServed));
  if (idle.length < options.idle) {
    wrong.push(`only ${idle.length} of ${options.idle} connections could be opened; see ulimit -n`);
  }
  return {
    rows: [
      { measure: 'idle connections', value: String(idle.length) },
      atMost('  p50 of a search, multiple of that before', slowest, LATENCY_RATIO_MAX),
      atMost('  memory of a connection', grown, BYTES_PER_CONNECTION_MAX, kilobytes),
      {
        measure: 'slow bodies that get 408',
        value: `${timely} of ${sent.length}`,
        bound: 'all',
        isMet: timely === sent.length,
      },
      { measure: 'slow readers served', value: `${readersServed} of ${read.length}` },
    ],
    wrong,
  };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const size = Math.min(OPENED_AT_ONCE, count - sockets.length);
    const opened = await Promise.all(Array.from({ length: size }, () => openSocket(port)));
    const usable = opened.filter((socket) => socket !== undefined);
    sockets.push(...usable);
    if (usable.length < size) break;
  }
  return sockets;
}

function openSocket(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket));
    // The server closes idle connections after some seconds, and may reset them.
    socket.on('error', () => resolve(undefined));
  });
}

/** Sends a body byte by byte. Resolves with the status that ends it. */
async function sendSlowly(target: Target): Promise<string> {
  const socket = await openSocket(target.port);
  if (socket === undefined) return 'not connected';
  const request = searchRequest(QUESTION, target);
  const bodyStart = request.indexOf('\r\n\r\n') + 4;
  let status = '';
  socket.on('data', (chunk) => {
    status ||= chunk.toString('latin1').slice(9, 12);
  });
  socket.write(request.subarray(0, bodyStart));
  const deadline = performance.now() + SLOW_BODY_MS_MAX;
  for (let at = bodyStart; status === '' && performance.now() < deadline; at++) {
    await wait(SLOW_BYTE_MS);
    // The last byte never comes.
    if (at < request.length - 1 && !socket.destroyed) socket.write(request.subarray(at, at + 1));
  }
  socket.destroy();
  return status;
}

/** Asks, and reads nothing for a while. Resolves with the status of the response. */
async function readSlowly(target: Target): Promise<string> {
  const socket = await openSocket(target.port);
  if (socket === undefined) return 'not connected';
  socket.pause();
  socket.write(searchRequest(QUESTION, target));
  await wait(SLOW_READ_MS);
  return new Promise((resolve) => {
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1').slice(9, 12));
      socket.destroy();
    });
    socket.once('close', () => resolve('closed'));
    socket.resume();
  });
}
