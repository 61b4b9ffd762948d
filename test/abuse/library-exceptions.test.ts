/** An exception of the HTTP library in one of its own callbacks costs one connection, not the process. */
import {
  App,
  type HttpRequest,
  type HttpResponse,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardCallbacks } from '../../src/http/guard-callbacks.ts';
import { startServer } from '../../src/http/server.ts';
import { openConnection, send } from '../http/contract.ts';

const failures: string[] = [];
let url: string;
let stop: () => void;

function fail(where: string): never {
  throw new RangeError(`thrown in ${where}`);
}

beforeAll(async () => {
  const app = App();
  guardCallbacks(app, (error) => failures.push((error as Error).message));
  app.any('/*', (response: HttpResponse, request: HttpRequest) => {
    const path = request.getUrl();
    response.onAborted(() => {
      if (path === '/aborted') fail('onAborted');
    });
    if (path === '/route') fail('the route');
    if (path === '/body') response.onData(() => fail('onData'));
    if (path === '/fine') response.end('fine');
    if (path === '/writable') {
      response.onWritable(() => fail('onWritable'));
      // More than the system takes at once, so that the rest waits for the socket.
      response.tryEnd('x'.repeat(32 * 1024 * 1024), 64 * 1024 * 1024);
    }
  });
  await new Promise<void>((resolve) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) fail('listen');
      url = `http://127.0.0.1:${us_socket_local_port(socket)}`;
      stop = () => us_listen_socket_close(socket);
      resolve();
    });
  });
});

afterAll(() => stop());

/** Sends a request, perhaps reading nothing at first, and waits until the server closes. */
async function request(path: string): Promise<string> {
  const { socket, text, closed } = await openConnection(url);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`);
  if (path === '/fine') await expect.poll(text).toMatch(/fine$/);
  else if (path !== '/aborted') await closed;
  socket.destroy();
  await closed;
  return text();
}

describe('an exception', () => {
  it.each([
    ['/route', 'the route'],
    ['/body', 'onData'],
    ['/aborted', 'onAborted'],
    ['/writable', 'onWritable'],
  ])('at %s is reported while other requests are served', async (path, where) => {
    failures.length = 0;
    await request(path);
    await expect.poll(() => failures).toEqual([`thrown in ${where}`]);
    expect(await request('/fine')).toMatch(/^HTTP\/1\.1 200 .*fine$/s);
  });
});

describe('a response that the framework cannot send', () => {
  it('is reported once as not sent while other requests are served', async () => {
    const outcomes: boolean[] = [];
    const reported: string[] = [];
    const server = await startServer({
      host: '127.0.0.1',
      port: 0,
      bodyTimeoutMs: 1_000,
      handle: async ({ path }) => ({
        status: 200,
        body: 'fine',
        onSent: (left) => outcomes.push(left),
        // A header's value is text: the library throws for anything else.
        headers: path === '/wrong' ? { 'X-Wrong': {} as string } : {},
      }),
      onFailure: (error) => reported.push((error as Error).message),
    });
    const url = `http://127.0.0.1:${server.port}`;
    await expect(send(url, { path: '/wrong' })).rejects.toThrow();
    expect(outcomes).toEqual([false]);
    expect(reported).toHaveLength(1);
    expect((await send(url, { path: '/' })).text).toBe('fine');
    expect(outcomes).toEqual([false, true]);
    server.close();
  });
});
