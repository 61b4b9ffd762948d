/**
 * Clients that search over HTTP, one at a time or many in parallel. They share the cores with the server that
 * they measure, so a connection is a bare socket, and only the status and the length are read from a head.
 */
import { connect, type Socket } from 'node:net';
import type { Answer } from '../../src/types.ts';

/** The server to search, and the key to search with. */
export interface Target {
  port: number;
  secret: string;
}

export interface Reply {
  /** 0 if the connection broke; then `head` says why. */
  status: number;
  /** The status line and the headers. */
  head: string;
  body: Buffer;
  milliseconds: number;
}

export interface Client {
  /** Sends one request at a time. It never rejects. */
  send(request: Buffer): Promise<Reply>;
  close(): void;
}

/** Returns the bytes of a search request. */
export function searchRequest(
  query: string,
  target: Target,
  { limit, headers = [] }: { limit?: number; headers?: readonly string[] } = {},
): Buffer {
  return postRequest('/v1/search', { query, limit }, target, headers);
}

/** Returns the bytes of a request with a body in JSON. */
export function postRequest(
  path: string,
  value: object,
  { port, secret }: Target,
  headers: readonly string[] = [],
): Buffer {
  const body = JSON.stringify(value);
  const head = [
    ...[`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${secret}`],
    ...['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...headers],
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The value of a header in the head of a reply. */
export function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(\\S+)`, 'im').exec(head)?.[1];
}

/** Creates a client with one keep-alive connection, which it opens again after a break. */
export function createClient(port: number): Client {
  let socket: Socket | undefined;
  const close = (): void => {
    socket?.destroy();
    socket = undefined;
  };
  return {
    async send(request) {
      let started = performance.now();
      const passed = (): number => performance.now() - started;
      try {
        if (socket === undefined || socket.destroyed) socket = await openSocket(port);
        started = performance.now();
        const reply = await exchange(socket, request);
        const milliseconds = passed();
        if (/^connection: *close/im.test(reply.head)) close();
        return { ...reply, milliseconds };
      } catch (error) {
        close();
        return { status: 0, head: String(error), body: Buffer.alloc(0), milliseconds: passed() };
      }
    },
    close,
  };
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    // Its end, which follows, is what counts later.
    socket.on('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

function exchange(socket: Socket, request: Buffer): Promise<Omit<Reply, 'milliseconds'>> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const reply = parseReply(received);
      if (reply === undefined) return;
      socket.off('data', onData).off('close', onClose);
      resolve(reply);
    };
    const onClose = (): void => reject(new Error('the server closed the connection'));
    socket.on('data', onData).once('close', onClose).write(request);
  });
}

/** Returns the reply, undefined while some of it is missing. */
function parseReply(bytes: Buffer): Omit<Reply, 'milliseconds'> | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const body = bytes.subarray(headEnd + 4, headEnd + 4 + length);
  return body.length < length ? undefined : { status: Number(head.slice(9, 12)), head, body };
}

export interface Answered {
  query: string;
  answer: Pick<Answer, 'results'>;
}

export interface Searched {
  /** One per answer, in the order of the queries. */
  milliseconds: number[];
  answered: Answered[];
  /** One sentence per failure. */
  failures: string[];
}

/**
 * Asks as one client: each question that `next` returns after the reply to the one before has been noted,
 * until it returns none.
 */
export async function askInTurn(
  target: Target,
  next: () => string | undefined,
  note: (reply: Reply, query: string) => unknown,
): Promise<void> {
  const client = createClient(target.port);
  for (let query = next(); query !== undefined; query = next()) {
    await note(await client.send(searchRequest(query, target)), query);
  }
  client.close();
}

/** Searches as one client, each query after the previous answer, while `goOn` returns true. */
export async function searchOneByOne(
  target: Target,
  queries: readonly string[],
  goOn: () => boolean = () => true,
): Promise<Searched> {
  const searched: Searched = { milliseconds: [], answered: [], failures: [] };
  let asked = 0;
  const next = () => (goOn() ? queries[asked++] : undefined);
  await askInTurn(target, next, (reply, query) => {
    if (reply.status !== 200) {
      searched.failures.push(failureOf(reply));
      return;
    }
    searched.milliseconds.push(reply.milliseconds);
    searched.answered.push({ query, answer: JSON.parse(String(reply.body)) as Answer });
  });
  return searched;
}

export interface Loaded {
  /** Answers per second, counting those that arrived in time. */
  rate: number;
  /** Of all answers, with those that arrived late. */
  milliseconds: number[];
  failures: string[];
}

/** Searches with clients in a closed loop: each sends its next query after its answer. */
export async function searchInParallel(
  target: Target,
  queries: readonly string[],
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Loaded> {
  const failures: string[] = [];
  const deadline = performance.now() + seconds * 1000;
  const milliseconds: number[] = [];
  let asked = 0;
  let inTime = 0;
  const next = () => (performance.now() < deadline ? queries[asked++ % queries.length] : undefined);
  const note = (reply: Reply): void => {
    if (reply.status === 200) milliseconds.push(reply.milliseconds);
    else failures.push(failureOf(reply));
    if (reply.status === 200 && performance.now() <= deadline) inTime++;
  };
  await Promise.all(Array.from({ length: clients }, () => askInTurn(target, next, note)));
  return { rate: inTime / seconds, milliseconds, failures };
}

function failureOf({ status, head, body }: Reply): string {
  return status === 0
    ? `a search failed: ${head}`
    : `a search was answered with ${status}: ${body}`;
}
