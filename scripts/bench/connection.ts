/**
 * A cheap keep-alive connection. The client shares the cores with the server that it measures, so
 * it is a bare socket that reads only the status and the length from the header of a response.
 */
import { connect as connectSocket, type Socket } from 'node:net';

export interface Reply {
  status: number;
  /** The status line and the headers. */
  head: string;
  body: Buffer;
}

export interface Connection {
  /** Sends one request at a time. Rejects if the connection ends before the response. */
  send(request: Buffer): Promise<Reply>;
  close(): void;
}

/** The server to search, and the key to search with. */
export interface Target {
  port: number;
  secret: string;
}

/** Returns the bytes of a search request. */
export function searchRequest(query: string, { port, secret }: Target): Buffer {
  const body = JSON.stringify({ query });
  return Buffer.from(
    `POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${secret}\r\n` +
      'Content-Type: application/json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export async function connect(port: number): Promise<Connection> {
  const socket = await openSocket(port);
  let received = Buffer.alloc(0);
  let waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const reply = parseReply(received);
    if (reply === undefined) return;
    received = Buffer.alloc(0);
    waiting?.resolve(reply);
    waiting = undefined;
  });
  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (socket.destroyed) fail(new Error('the connection is closed'));
        else socket.write(request);
      }),
    close: () => {
      socket.destroy();
    },
  };
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.removeListener('error', reject);
      resolve(socket);
    });
  });
}

/** Returns the reply, undefined while some of it is missing. */
function parseReply(bytes: Buffer): Reply | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const bodyStart = headEnd + 4;
  if (bytes.length < bodyStart + length) return undefined;
  return {
    status: Number(head.slice(9, 12)),
    head,
    body: bytes.subarray(bodyStart, bodyStart + length),
  };
}
