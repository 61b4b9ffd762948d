/** A request that arrives in two TCP segments is the same request, wherever the network cuts it. */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  deliver,
  SECRET_KEY,
  sign,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../accounts/payments/stripe-stub.ts';
import { readUsage, untilUsage } from '../http/contract.ts';
import { addKey, addSomeone } from '../support/history.ts';
import { type Client, formTokenIn, signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const CREDITS = 5_000;
/** Long enough for the server to read the first segment by itself. */
const BETWEEN_SEGMENTS_MS = 4;

let secret: string;
const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: CREDITS });
    ({ secret } = addKey(database, customerId, 'Agent'));
  },
  {
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  },
);
let client: Client;

beforeAll(async () => {
  client = await signedInClient(server.url, ADA);
});

/** Sends the segments one after the other; resolves to all that came back, when the server closed. */
function talk(...segments: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setNoDelay(true);
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.once('close', () => resolve(text)).once('error', reject);
    socket.once('connect', async () => {
      for (const segment of segments) {
        socket.write(segment);
        await wait(BETWEEN_SEGMENTS_MS);
      }
    });
  });
}

function post(path: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [`POST ${path} HTTP/1.1`, ...lines, length, '', body].join('\r\n');
}

/** Every position at which a request can be cut, with the status that it then got, where not `status`. */
async function failuresOf(request: string, status: number): Promise<string[]> {
  const failures: string[] = [];
  for (let at = 1; at < request.length; at++) {
    const text = await talk(request.slice(0, at), request.slice(at));
    if (!text.startsWith(`HTTP/1.1 ${status} `)) failures.push(`${at}: ${text.slice(0, 40)}`);
  }
  return failures;
}

describe('a request in two segments, cut at every position', () => {
  it('a search', async () => {
    const request = post(
      '/v1/search',
      { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      '{"query":"sleep","limit":1}',
    );
    expect(await failuresOf(request, 200)).toEqual([]);
    await untilUsage({ url: server.url, secret }, { requests: request.length - 1 });
    expect((await readUsage({ url: server.url, secret })).balance).toBe(
      CREDITS - (request.length - 1),
    );
  });

  it('a form', async () => {
    const formToken = formTokenIn((await client.get('/dashboard/account')).text);
    const request = post(
      '/dashboard/billing/preferences',
      { Cookie: client.cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({ form_token: formToken, low_balance: '41' }).toString(),
    );
    expect(await failuresOf(request, 303)).toEqual([]);
    expect((await client.get('/dashboard/billing')).text).toContain('value="41"');
  });

  it('a webhook', async () => {
    const body = JSON.stringify(stripeEvent('customer.created', { id: 'cus_1' }));
    expect((await deliver(server.url, body)).status).toBe(200);
    const request = post(
      '/webhooks/stripe',
      { 'Content-Type': 'application/json', 'Stripe-Signature': sign(body) },
      body,
    );
    expect(await failuresOf(request, 200)).toEqual([]);
  });
});

describe('a long address', () => {
  it('can be cut at the size of an Ethernet frame', async () => {
    const request = `GET /${'a'.repeat(3_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const text = await talk(
      request.slice(0, 1_460),
      request.slice(1_460, 2_920),
      request.slice(2_920),
    );
    expect(text).toMatch(/^HTTP\/1\.1 404 .*not found$/s);
  });
});
