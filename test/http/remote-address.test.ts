/** Where a connection comes from, as the web framework tells it. */
import { afterEach, expect, it } from 'vitest';
import { clientAddress } from '../../src/accounts/client-address.ts';
import { type HttpServer, startServer } from '../../src/http/server.ts';
import { send } from './contract.ts';

let server: HttpServer | undefined;

afterEach(() => server?.close());

it.each(['127.0.0.1', '0.0.0.0'])(
  'a server on %s tells the socket, whatever a header says',
  async (host) => {
    server = await startServer({
      host,
      port: 0,
      bodyTimeoutMs: 1_000,
      onFailure: (error) => {
        throw error;
      },
      handle: async (request) => ({
        status: 200,
        headers: {},
        body: clientAddress({
          socketAddress: request.remoteAddress(),
          forwardedFor: request.header('x-forwarded-for'),
          proxiesTrusted: 0,
        }),
      }),
    });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await send(`http://127.0.0.1:${server.port}`, { headers })).text).toBe('127.0.0.1');
  },
);
