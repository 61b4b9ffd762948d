/** The page Now on the loopback listener: what it shows, after a restart too, and to whom. */
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { send } from '../../http/contract.ts';
import { addSomeone, inStore } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import { createClient, signedInClient, useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import {
  copySampleIndex,
  createCustomer,
  postSearch,
  removeDatabase,
  startService,
} from '../../support/service.ts';

const ADA = 'ada@example.org';
const env = { VERBATIM_OPERATOR: 'true', ...withLimits({ historyStepMs: 50 }) };
let secret: string;
const server = useServer((database) => {
  secret = createCustomer(database, { email: 'searcher@example.org' }).secret;
  addSomeone(database, { email: ADA });
}, env);

function nowPage(headers: Record<string, string> = {}) {
  return send(server.service.operatorUrl, { path: '/operator', headers });
}

/** The searches of the charts' table, over all spans. */
async function searchesInCharts(): Promise<number> {
  const { text } = await nowPage();
  const cells = [...text.matchAll(/data-label="Searches" class="end"><span>([\d,]+)</g)];
  return cells.reduce((sum, [, count = '']) => sum + Number(count.replace(',', '')), 0);
}

describe('the page Now', () => {
  it('shows the server at work, and its last day, which outlives a restart', async () => {
    for (let i = 0; i < 3; i++) expect((await postSearch(server.url, secret)).status).toBe(200);
    await expect.poll(searchesInCharts, PATIENT).toBe(3);
    const { status, text } = await nowPage();
    expect(status).toBe(200);
    for (const part of ['Searches a second', 'Latency by stage', 'embed', 'No lane is on.']) {
      expect(text).toContain(part);
    }
    await server.restart(env, { signal: 'SIGKILL' });
    expect(await searchesInCharts()).toBe(3);
  });

  it('shows a build that runs in another process, and not one that was killed', async () => {
    const start = (id: number) =>
      inStore(server.database, (db) =>
        db
          .prepare('INSERT INTO index_builds (started_at, report) VALUES (?, ?)')
          .run(Date.now(), JSON.stringify({ process: { host: hostname(), id } })),
      );
    const killed = spawnSync(process.execPath, ['--version']).pid;
    start(killed);
    expect((await nowPage()).text).not.toContain('A build of the index is running');
    start(process.pid);
    const { text } = await nowPage();
    expect(text).toContain(`A build of the index is running, as process ${process.pid}, since`);
    const index = await send(server.service.operatorUrl, { path: '/operator/index' });
    const outcomes = [...index.text.matchAll(/data-label="Outcome"><span>([^<]+)</g)];
    expect(outcomes.slice(0, 2).map(([, outcome]) => outcome)).toEqual(['running', 'did not end']);
  });

  it('is where the listener leads', async () => {
    const { status, headers } = await send(server.service.operatorUrl, { path: '/' });
    expect([status, headers.location]).toEqual([303, '/operator']);
  });

  it('has security headers, and is never stored', async () => {
    const { headers } = await nowPage();
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it('refuses other methods', async () => {
    const got = await send(server.service.operatorUrl, { method: 'POST', path: '/operator' });
    expect([got.status, got.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it('says that a page does not exist', async () => {
    const got = await send(server.service.operatorUrl, { path: '/operator/nothing' });
    expect(got.status).toBe(404);
    expect(got.text).toContain('href="/operator"');
  });
});

describe('others', () => {
  it.each(['attacker.example', 'localhost.attacker.example', '192.168.1.5:9465'])(
    'get nothing through the name %s',
    async (host) => {
      const got = await nowPage({ host });
      expect(got.status).toBe(403);
      expect(got.text).not.toContain('Searches');
    },
  );

  it('get nothing through a proxy', async () => {
    const got = await nowPage({ 'x-forwarded-for': '203.0.113.7' });
    expect(got.status).toBe(403);
  });

  it('find nothing at the address of customers, signed in or not', async () => {
    const customer = await signedInClient(server.url, ADA);
    for (const client of [createClient(server.url), customer]) {
      for (const path of ['/operator', '/operator/customers', '/operator/nothing']) {
        const got = await client.get(path);
        expect(got.status).toBe(404);
        expect(got.text).not.toContain('perator,');
      }
    }
  });

  it('find no page of customers at the address of the operator', async () => {
    const customer = await signedInClient(server.url, ADA);
    const elsewhere = createClient(server.service.operatorUrl, customer.cookie);
    expect((await elsewhere.get('/dashboard')).status).toBe(404);
  });
});

it('a server does not start if others could reach the pages', async () => {
  const database = await copySampleIndex();
  const open = { VERBATIM_OPERATOR: 'true', VERBATIM_OPERATOR_HOST: '0.0.0.0' };
  await expect(startService(database, open)).rejects.toThrow('VERBATIM_OPERATOR_HOST');
  await removeDatabase(database);
});
