/** A provider on loopback that responds as a test says and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface StubRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
  /** When it arrived (performance.now()). */
  at: number;
}

export interface StubAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sends nothing (`hang`), or the head and a part of the body (`stall`). */
  fault?: 'hang' | 'stall' | 'reset';
  delayMs?: number;
  /** Waits for this promise, too. */
  until?: Promise<void>;
}

export type Responder = (request: StubRequest, index: number) => StubAnswer;

export interface StubServer {
  url: string;
  requests: StubRequest[];
  /** The open connections, and the most at one time. */
  connections: { open: number; most: number };
  /** Sets the responses from now on: one for each request in turn, with the last one repeated. */
  answer(how: Responder | StubAnswer | readonly StubAnswer[]): void;
  close(): Promise<void>;
}

export async function startStub(
  how: Parameters<StubServer['answer']>[0] = {},
): Promise<StubServer> {
  const requests: StubRequest[] = [];
  const connections = { open: 0, most: 0 };
  const sockets = new Set<Socket>();
  let respond = responderOf(how);
  let first = 0;
  const server = createServer((message, response) => {
    void readRequest(message).then((request) => {
      requests.push(request);
      const answer = respond(request, requests.length - 1 - first);
      setTimeout(() => {
        void Promise.resolve(answer.until).then(() => reply(response, answer));
      }, answer.delayMs ?? 0);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    connections.open++;
    connections.most = Math.max(connections.most, connections.open);
    socket.once('close', () => {
      sockets.delete(socket);
      connections.open--;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections,
    answer(next) {
      respond = responderOf(next);
      first = requests.length;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function responderOf(how: Parameters<StubServer['answer']>[0]): Responder {
  if (typeof how === 'function') return how;
  const answers = Array.isArray(how) ? (how as StubAnswer[]) : [how as StubAnswer];
  return (_request, index) => answers[Math.min(index, answers.length - 1)] ?? {};
}

async function readRequest(message: IncomingMessage): Promise<StubRequest> {
  const at = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const url = new URL(message.url ?? '/', 'http://stub');
  return {
    method: message.method ?? '',
    path: url.pathname,
    headers: message.headers,
    at,
    query: Object.fromEntries(url.searchParams),
    body: Buffer.concat(chunks).toString(),
  };
}

function reply(response: ServerResponse, answer: StubAnswer): void {
  const { status = 200, headers = {}, body = '', fault } = answer;
  if (fault === 'hang') return;
  if (fault === 'reset') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(status, headers);
  if (fault === 'stall') response.write(body);
  else response.end(body);
}

/** What a proxy or a landing page sends instead of a response. */
export const htmlPage =
  '<!DOCTYPE html><html><head><title>Hello</title></head><body>Hi</body></html>';

export function jsonResponse(value: unknown, rest: Omit<StubAnswer, 'body'> = {}): StubAnswer {
  const headers = { 'content-type': 'application/json', ...rest.headers };
  return { ...rest, headers, body: JSON.stringify(value) };
}
