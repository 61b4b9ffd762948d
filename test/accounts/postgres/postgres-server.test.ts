/** Two servers with the built program, each with an index of its own, and their accounts together. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../src/accounts/sql/api-keys.ts';
import type { LedgerEntry } from '../../../src/accounts/sql/credit-entries.ts';
import type { AuditReport } from '../../../src/accounts/sql/kept-audits.ts';
import { VerbatimError } from '../../../src/errors.ts';
import {
  copySampleIndex,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';
import { runJson, runVerbatim } from '../../support/verbatim.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const EMAIL = 'ada@example.org';
const CREDITS = 1_000;
/** How often two requests are sent at once, so that both are searched at least now and then. */
const ROUNDS = 10;

let cluster: Cluster;
let env: Record<string, string>;
let databases: string[];
let servers: [Service, Service];
let secret: string;

const run = <Result>(...args: string[]): Promise<Result> =>
  runJson([...args, '--db', databases[0] ?? ''], { env });

beforeAll(async () => {
  cluster = startCluster();
  env = { VERBATIM_ACCOUNTS: cluster.url, VERBATIM_NODE_LEASE_MS: '1000' };
  databases = [await copySampleIndex(), await copySampleIndex()];
  await run('customer', 'add', EMAIL, '--credits', String(CREDITS));
  ({ secret } = await run<{ secret: string }>('key', 'create', EMAIL));
  const [first, second] = databases as [string, string];
  servers = await Promise.all([startService(first, env), startService(second, env)]);
});

afterAll(async () => {
  for (const server of servers) await server.end();
  for (const database of databases) await removeDatabase(database);
  cluster.stop();
});

const usageOf = async (server: Service): Promise<{ requests: number; balance: number }> => {
  const headers = { Authorization: `Bearer ${secret}` };
  return (await (await fetch(`${server.url}/v1/usage`, { headers })).json()) as never;
};

describe('two servers', () => {
  it('charge one balance, and report one usage', async () => {
    for (const server of servers) {
      const response = await postSearch(server.url, secret);
      expect(response.status, await response.text()).toBe(200);
    }
    for (const server of servers) {
      await expect.poll(() => usageOf(server)).toMatchObject({ requests: 2, balance: CREDITS - 2 });
    }
  });

  it('repeat an answer that the other one has stored', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = await postSearch(servers[0].url, secret, { headers });
    const second = await postSearch(servers[1].url, secret, { headers });
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('x-credit-balance')).toBe(String(CREDITS - 3));
  });

  it('give two equal requests with one Idempotency-Key one answer, and charge it once', async () => {
    const before = (await usageOf(servers[0])).balance;
    for (let round = 1; round <= ROUNDS; round++) {
      const headers = { 'Idempotency-Key': `at-once-${round}` };
      const asked = servers.map(({ url }) => postSearch(url, secret, { headers }));
      const answers = await Promise.all(asked);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const replayed = answers.map((answer) => answer.headers.get('idempotency-replayed'));
      expect(new Set(replayed)).toEqual(new Set([null, 'true']));
      const [first, second] = await Promise.all(answers.map((answer) => answer.text()));
      expect(first).toBe(second);
    }
    await expect.poll(() => usageOf(servers[1])).toMatchObject({ balance: before - ROUNDS });
  });

  it('refuse another request with the same Idempotency-Key, although it came at once', async () => {
    const before = (await usageOf(servers[0])).balance;
    const headers = { 'Idempotency-Key': 'two-questions' };
    const asked = servers.map(({ url }, index) =>
      postSearch(url, secret, { headers, body: JSON.stringify({ query: `question ${index}` }) }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, new VerbatimError('idempotency_key_reused').status]);
    await expect.poll(() => usageOf(servers[1])).toMatchObject({ balance: before - 1 });
  });

  it('reject a key that the operator has revoked', async () => {
    const created = await run<ApiKey & { secret: string }>('key', 'create', EMAIL);
    for (const server of servers) {
      expect((await postSearch(server.url, created.secret)).status).toBe(200);
    }
    await run('key', 'revoke', created.prefix);
    for (const server of servers) {
      expect((await postSearch(server.url, created.secret)).status).toBe(401);
    }
  });

  it('show a customer the pages of the dashboard', async () => {
    const { link } = await run<{ link: { url: string } }>('customer', 'link', EMAIL);
    const { search } = new URL(link.url);
    for (const server of servers) {
      const page = await fetch(`${server.url}/dashboard/link${search}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(EMAIL);
    }
  });

  it('serve again after the database was killed, and refuse searches meanwhile', async () => {
    cluster.crash();
    for (const server of servers) {
      await expect.poll(async () => (await postSearch(server.url, secret)).status).toBe(200);
    }
  });

  it('go on when one of them is killed, and everything adds up', async () => {
    const [killed, other] = servers;
    const asked = Array.from({ length: 8 }, () =>
      postSearch(killed.url, secret).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    await killed.end('SIGKILL');
    await Promise.all(asked);
    expect((await postSearch(other.url, secret)).status).toBe(200);
    await expect
      .poll(() => run<AuditReport>('credit', 'audit'))
      .toMatchObject({ held: 0, differences: [] });
    const entries = await run<LedgerEntry[]>('credit', 'ledger', EMAIL, '--limit', '1000');
    const kinds = (kind: string): number => entries.filter((entry) => entry.kind === kind).length;
    expect(kinds('hold')).toBe(kinds('settle') + kinds('release'));
  });
});

describe('a wrong address', () => {
  it.each([
    ['mysql://somebody:hidden@host/verbatim', 'VERBATIM_ACCOUNTS must be empty, or begin with', 2],
    ['postgres://somebody:hidden@127.0.0.1:1/verbatim', 'PostgreSQL: connect ECONNREFUSED', 1],
  ])('ends a command with a message that has no password: %s', async (address, message, code) => {
    const { stderr } = await runVerbatim(['customer', 'list', '--db', databases[0] ?? ''], {
      env: { VERBATIM_ACCOUNTS: address },
      code,
    });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hidden');
  });
});
