/** Requests with random damage: none of them ends the server, is logged as a defect or costs a credit. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SECRET_KEY, sign, WEBHOOK_SECRET } from '../accounts/payments/stripe-stub.ts';
import { expectAudited, ledger, openConnection, search } from '../http/contract.ts';
import { useServer } from '../support/pages.ts';
import { createRandom, testSeed } from '../support/random.ts';
import { createCustomer } from '../support/service.ts';

const REQUESTS = 1_500;
const AT_A_TIME = 25;
const SEED = testSeed();
/** A server that got half a request waits for the rest; nobody waits with it. */
const PATIENCE_MS = 60;

let secret: string;
const server = useServer(
  async (database) => {
    ({ secret } = createCustomer(database, { credits: 10_000 }));
  },
  {
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  },
);

function request(method: string, path: string, lines: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${body.length}`];
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines, ...length, '', body].join(
    '\r\n',
  );
}

function wholeRequests(): string[] {
  const json = 'Content-Type: application/json';
  const key = `Authorization: Bearer ${secret}`;
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const event = '{"id":"evt_1","object":"event","type":"customer.created","data":{"object":{}}}';
  const chunks = '8\r\n{"query"\r\n9\r\n:"sleep"}\r\n0\r\n\r\n';
  return [
    request('POST', '/v1/search', [key, json], '{"query":"sleep","limit":3,"fields":"abstract"}'),
    request('POST', '/v1/search', [key, json, 'Transfer-Encoding: chunked']) + chunks,
    request('POST', '/v1/search', [key, json, 'Expect: 100-continue'], '{"query":"sleep"}'),
    request('GET', '/v1/usage', [key, 'Accept-Encoding: gzip, br;q=0.5, *;q=0']),
    request('POST', '/dashboard/sign-in', [form], 'form_token=x&email=a%40b.org&password=%00'),
    request('GET', '/dashboard/accounting.csv?kind=hold&from=2026-01-01', ['Cookie: verbatim=x']),
    request('POST', '/webhooks/stripe', [json, `Stripe-Signature: ${sign(event)}`], event),
    request('GET', '/docs', ['Accept: text/html']),
    request('HEAD', '/health', []),
  ];
}

/** One to four pieces of damage: bytes changed, cut out, repeated, or put in from another request. */
function damage(text: string, others: readonly string[], below: (bound: number) => number): Buffer {
  let bytes = Buffer.from(text, 'latin1');
  for (let times = below(4) + 1; times > 0; times--) {
    const at = below(bytes.length);
    const count = below(12) + 1;
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const other = Buffer.from(others[below(others.length)] as string, 'latin1');
    const from = below(other.length);
    const kinds: (() => Buffer[])[] = [
      () => [before, Buffer.from([below(256)]), after.subarray(1)],
      () => [before, after.subarray(count)],
      () => [before, after.subarray(0, count), after],
      () => [before, other.subarray(from, from + 40), after],
      () => [before, Buffer.from('\r\n'), after],
      () => [before],
    ];
    bytes = Buffer.concat((kinds[below(kinds.length)] as () => Buffer[])());
  }
  return bytes;
}

/** Sends the bytes, in one or two segments, waits a moment for what comes back, and leaves. */
async function sendDamaged(bytes: Buffer, cutAt: number): Promise<string> {
  const { socket, text, closed } = await openConnection(server.url);
  socket.write(bytes.subarray(0, cutAt));
  if (cutAt < bytes.length) {
    await wait(2);
    socket.write(bytes.subarray(cutAt));
  }
  await Promise.race([closed, wait(PATIENCE_MS)]);
  socket.destroy();
  return text();
}

it(`${REQUESTS} damaged requests, VERBATIM_TEST_SEED=${SEED}`, async () => {
  const { below } = createRandom(SEED);
  const whole = wholeRequests();
  const statuses = new Set<string>();
  for (let done = 0; done < REQUESTS; done += AT_A_TIME) {
    const batch = Array.from({ length: AT_A_TIME }, () => {
      const bytes = damage(whole[below(whole.length)] as string, whole, below);
      return sendDamaged(bytes, below(2) === 0 ? bytes.length : below(bytes.length));
    });
    for (const text of await Promise.all(batch)) statuses.add(text.slice(9, 12));
    expect(
      server.service.process.exitCode,
      `after ${done} requests of the seed ${SEED}`,
    ).toBeNull();
  }
  // The damage was of many kinds, and some of it did none.
  for (const status of ['200', '400', '401', '404', '505']) expect(statuses).toContain(status);
  expect(statuses).not.toContain('500');
  expect(server.service.log.filter(({ level }) => level === 'error')).toEqual([]);

  await expectAudited(server.database);
  expect((await search({ url: server.url, secret })).status).toBe(200);
  await expectAudited(server.database);
  const settled = () => ledger(server.database).filter(({ kind }) => kind === 'settle').length;
  const answered = () =>
    server.service.log.filter(
      ({ path, status, sent }) => path === '/v1/search' && status === 200 && sent === true,
    ).length;
  // The log comes through a pipe, and a settlement after its answer.
  await expect.poll(answered).toBeGreaterThan(0);
  await expect.poll(() => settled() - answered()).toBe(0);
});
