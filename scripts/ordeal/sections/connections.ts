/** Thousands of idle connections, slow senders, and slow readers beside a client that searches. */
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, connect, searchRequest, type Target } from '../../bench/connection.ts';
import { sampleTitles } from '../../bench/sample-titles.ts';
import { startServer } from '../../bench/server.ts';
import { median } from '../../bench/statistics.ts';
import { createCustomer, readBooks, UNLIMITED } from '../accounts.ts';
import { boundedRow, type Ordeal, type SectionReport } from '../section.ts';

const SEARCHES = 40;
/** Connections that are opened at a time. */
const OPENED_AT_ONCE = 200;
const SLOW_BYTE_MS = 500;
/** Beyond the server's time limit of a body. */
const SLOW_BODY_MS_MAX = 15_000;
const SLOW_READ_MS = 3_000;
const LATENCY_RATIO_MAX = 3;
const BYTES_PER_CONNECTION_MAX = 20_000;

export async function connections(ordeal: Ordeal): Promise<SectionReport> {
  const { options, cores } = ordeal;
  const database = await ordeal.copyIndex('connections');
  const secret = createCustomer(database, 'connections', UNLIMITED);
  const server = await startServer(database, { through: cores.server });
  const target: Target = { port: server.port, secret };
  const client = await connect(server.port);
  const alone = await timeSearches(client, target);
  const before = server.residentBytes() ?? 0;
  ordeal.say(`  ${options.idle} idle connections …`);
  const idle = await openIdle(server.port, options.idle);
  const withIdle = await timeSearches(client, target);
  const grown = Math.max(0, (server.residentBytes() ?? 0) - before) / idle.length;
  ordeal.say(`  ${options.slow} slow senders and readers …`);
  const senders = Array.from({ length: options.slow }, () => sendSlowly(target));
  const readers = Array.from({ length: options.slow }, () => readSlowly(target));
  const withSlow = await timeSearches(client, target);
  const sent = await Promise.all(senders);
  const read = await Promise.all(readers);
  for (const socket of idle) socket.destroy();
  client.close();
  await server.stop();
  const { charged, wrong } = readBooks(database);
  const served = 3 * SEARCHES + read.filter((status) => status === '200').length;
  const timely = sent.filter((status) => status === '408').length;
  const slowest = Math.max(withIdle, withSlow) / alone;
  return {
    rows: [
      { measure: 'idle connections', value: String(idle.length) },
      boundedRow(
        '  p50 of a search, multiple of that before',
        slowest.toFixed(2),
        `<= ${LATENCY_RATIO_MAX}`,
        slowest <= LATENCY_RATIO_MAX,
      ),
      boundedRow(
        '  memory of a connection',
        `${(grown / 1_000).toFixed(1)} kB`,
        `<= ${BYTES_PER_CONNECTION_MAX / 1_000} kB`,
        grown <= BYTES_PER_CONNECTION_MAX,
      ),
      boundedRow(
        'slow bodies that get 408',
        `${timely} of ${sent.length}`,
        'all',
        timely === sent.length,
      ),
      { measure: 'slow readers served', value: `${served - 3 * SEARCHES} of ${read.length}` },
    ],
    wrong: [
      ...wrong,
      ...(idle.length === options.idle
        ? []
        : [`only ${idle.length} of ${options.idle} connections could be opened; see ulimit -n`]),
      ...(charged.length === served
        ? []
        : [`${served} searches were served, ${charged.length} were charged`]),
    ],
  };
}

/** Returns the median time of some searches, in milliseconds. */
async function timeSearches(client: Connection, target: Target): Promise<number> {
  const titles = sampleTitles();
  const milliseconds: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    const started = performance.now();
    const { status } = await client.send(searchRequest(titles[i % titles.length] ?? '', target));
    if (status !== 200) throw new Error(`a search got ${status}`);
    milliseconds.push(performance.now() - started);
  }
  return median(milliseconds);
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
  const request = searchRequest('does sleep help memory', target);
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
  socket.write(searchRequest('does sleep help memory', target));
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
