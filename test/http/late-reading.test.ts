/** Bodies that have arrived before somebody reads them, because the key was looked up first. */
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonTextResponse } from '../../src/http/responses.ts';
import { type HttpServer, startServer } from '../../src/http/server.ts';

const limits = { bodyBytesMax: 100_000, bodyTimeoutMs: 60_000 };

let server: HttpServer;

beforeAll(async () => {
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    bodyTimeoutMs: limits.bodyTimeoutMs,
    onFailure: (error) => {
      throw error;
    },
    handle: async (request) => {
      // What came in one segment with the head has arrived by then.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      const outcome = await request.readBody(limits).then(
        (body) => `${body.length}: ${body.subarray(0, 5)}`,
        (error: { code: string }) => error.code,
      );
      return jsonTextResponse(200, outcome);
    },
  });
});

afterAll(() => server.close());

/** Sends a request in one piece. Resolves to the body of the response. */
function send(lines: readonly string[], body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.once('close', () => resolve(text.split('\r\n\r\n')[1] ?? '')).once('error', reject);
    const head = ['POST / HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

const chunked = (...chunks: string[]) =>
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');

it.each([
  ['a short body', ['Content-Length: 5'], 'hello', '5: hello'],
  ['one that fills buffers', ['Content-Length: 90000'], 'x'.repeat(90_000), '90000: xxxxx'],
  ['no body', ['Content-Length: 0'], '', '0: '],
  ['no length', [], '', '0: '],
  ['chunks', ['Transfer-Encoding: chunked'], chunked('he', 'llo'), '5: hello'],
  ['no chunks', ['Transfer-Encoding: chunked'], chunked(), '0: '],
  [
    'many chunks',
    ['Transfer-Encoding: chunked'],
    chunked('x'.repeat(45_000), 'x'.repeat(45_000)),
    '90000: xxxxx',
  ],
  ['too much', ['Content-Length: 100001'], 'x'.repeat(100_001), 'body_too_large'],
  [
    'too many chunks',
    ['Transfer-Encoding: chunked'],
    chunked('x'.repeat(60_000), 'x'.repeat(60_000)),
    'body_too_large',
  ],
])('reads %s late', async (_what, lines, body, outcome) => {
  expect(await send(lines, body)).toBe(outcome);
});
