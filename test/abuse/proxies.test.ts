/** Behind nginx and Caddy, set up as `verbatim init` says. Both come from Debian's packages. */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../scripts/measure/free-port.ts';
import { caddyfile } from '../../src/commands/setup/caddyfile.ts';
import { nginxSite } from '../../src/commands/setup/nginx-site.ts';
import { openConnection, readUsage, search, send } from '../http/contract.ts';
import { addKey, addSearches, addSomeone } from '../support/history.ts';
import { formTokenIn, signedInClient, useServer } from '../support/pages.ts';
import { isInstalled, nginxConfiguration, proxyNames, startProxy } from '../support/proxy.ts';
import { createCustomer } from '../support/service.ts';

const BODY = '{"query":"sleep","limit":1}';
const BOB = 'bob@example.org';
const DOMAIN = 'search.example.org';
/** Wrong passwords from one address, before it has to wait. */
const TRIES_MAX = 3;
/** They search all the time while the server restarts. */
const CLIENTS = 8;

const folder = mkdtempSync(join(tmpdir(), 'verbatim-proxies-'));
let secret: string;
const [fixedPort, probePort] = [await freePort(), await freePort()];
const environment = {
  VERBATIM_PORT: String(fixedPort),
  VERBATIM_METRICS_PORT: String(probePort),
  VERBATIM_PROXIES_TRUSTED: '1',
  VERBATIM_REQUESTS_PER_MINUTE: '100000',
  VERBATIM_TRIES_PER_ADDRESS_MAX: String(TRIES_MAX),
};
const server = useServer(async (database) => {
  ({ secret } = createCustomer(database));
  const { customerId } = addSomeone(database, { email: BOB, credits: 60_000 });
  const { key } = addKey(database, customerId, 'Agent');
  addSearches(database, { customerId, keyId: key.id }, { days: 5, countOf: () => 1_000 });
}, environment);

afterAll(() => rmSync(folder, { recursive: true }));

const servicePort = (): number => Number(new URL(server.url).port);

describe.each(proxyNames)('behind %s', (name) => {
  const missing = isInstalled(name) ? '' : ` (skipped: ${name} is not installed)`;
  let proxy: ChildProcess;
  let url: string;

  beforeAll(async () => {
    if (missing !== '') return;
    const port = await freePort();
    proxy = startProxy(name, { folder, port, servicePort: servicePort(), probePort });
    url = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => expect((await send(url, { path: '/health' })).status).toBe(200), {
      timeout: 30_000,
      interval: 100,
    });
  });

  afterAll(async () => {
    if (missing !== '') return;
    const ended = new Promise((done) => proxy.once('exit', done));
    proxy.kill();
    await ended;
  });

  it.skipIf(missing !== '')(`answers searches over persistent connections${missing}`, async () => {
    for (let i = 0; i < 20; i++) {
      const got = await search({ url, secret }, JSON.parse(BODY));
      expect(got.status, got.text).toBe(200);
    }
    expect(await readUsage({ url, secret })).toMatchObject({ period: expect.any(String) });
  });

  it.skipIf(missing !== '')(`accepts HTTP/1.0 and absolute targets${missing}`, async () => {
    const { host } = new URL(url);
    for (const text of [
      `GET /health HTTP/1.0\r\nHost: ${host}\r\n\r\n`,
      `GET ${url}/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    ]) {
      const connection = await openConnection(url);
      connection.socket.write(text);
      await connection.closed;
      expect(connection.text()).toMatch(/^HTTP\/1\.[01] 200 /);
    }
  });

  it.skipIf(missing !== '')(
    `receives bodies in chunks and bodies with a length${missing}`,
    async () => {
      for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'content-length': '27' }]) {
        const got = await search({ url, secret }, BODY, { headers });
        expect(got.status, got.text).toBe(200);
      }
    },
  );

  it.skipIf(missing !== '')(`gets the service's own answer to a long body${missing}`, async () => {
    const got = await search({ url, secret }, { query: 'x'.repeat(100_000) });
    expect(got.status).toBe(413);
    expect(got.text).toMatch(/^request body /);
  });

  it.skipIf(missing !== '')(`passes a long download on as it comes${missing}`, async () => {
    const client = await signedInClient(url, BOB);
    const { status, text } = await client.get('/dashboard/accounting.csv');
    expect(status).toBe(200);
    expect(text.trimEnd().split('\r\n')).toHaveLength(10_002);
  });

  it.skipIf(missing !== '')(`refuses nothing while the server restarts${missing}`, async () => {
    const statuses: number[] = [];
    const untilMore = async (): Promise<void> => {
      const before = statuses.length;
      await expect.poll(() => statuses.length).toBeGreaterThan(before + 2 * CLIENTS);
    };
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) statuses.push((await search({ url, secret }, JSON.parse(BODY))).status);
    });
    await untilMore();
    await server.restart(environment);
    await untilMore();
    isOver = true;
    await Promise.all(clients);
    expect([...new Set(statuses)]).toEqual([200]);
  });

  it.skipIf(missing !== '')(`tells clients by their own address${missing}`, async () => {
    // The service is the same for both proxies, and it does not forget.
    const first = name === 'nginx' ? 2 : 4;
    const [one, other] = [`127.0.0.${first}`, `127.0.0.${first + 1}`];
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      expect(await trySignIn(url, one, `10.0.0.${attempt}`)).toBe(401);
    }
    // No header that a client makes up gives it new attempts.
    expect(await trySignIn(url, one, '10.0.0.9')).toBe(429);
    expect(await trySignIn(url, other, one)).toBe(401);
  });
});

/** Tries a wrong password from an address of this machine, with a forged header. */
async function trySignIn(url: string, localAddress: string, forged: string): Promise<number> {
  const agent = new Agent({ localAddress });
  const path = '/dashboard/sign-in';
  const page = await send(url, { path, headers: { accept: 'text/html' }, agent });
  const fields = { form_token: formTokenIn(page.text), email: 'no@example.org', password: 'wrong' };
  const { status } = await send(url, {
    method: 'POST',
    path,
    headers: {
      cookie: (page.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; '),
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': forged,
    },
    body: new URLSearchParams(fields).toString(),
    agent,
  });
  agent.destroy();
  return status;
}

describe('the examples as they are written', () => {
  it.skipIf(!isInstalled('nginx'))('nginx loads, with a certificate', () => {
    const names = { certificate: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') };
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-subj', `/CN=${DOMAIN}`, '-out', names.certificate, '-keyout', names.key],
      ],
      { stdio: 'ignore' },
    );
    const site = nginxSite({ domain: DOMAIN, port: 8080 })
      .replace(`/etc/letsencrypt/live/${DOMAIN}/fullchain.pem`, names.certificate)
      .replace(`/etc/letsencrypt/live/${DOMAIN}/privkey.pem`, names.key);
    expect(site).not.toContain('letsencrypt');
    const path = join(folder, 'whole.conf');
    writeFileSync(path, nginxConfiguration(folder, site));
    const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', path]);
    // Without a network of version 6 the file is as good, and nginx cannot try its addresses.
    if (!String(stderr).includes('Address family not supported')) {
      expect(status, String(stderr)).toBe(0);
    }
  });

  it.skipIf(!isInstalled('caddy'))('Caddy loads', () => {
    const path = join(folder, 'whole.caddyfile');
    writeFileSync(path, caddyfile({ domain: DOMAIN, port: 8080, probePort: 9464 }));
    const args = ['adapt', '--config', path, '--adapter', 'caddyfile'];
    const { stdout, stderr, status } = spawnSync('caddy', args, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(`"host":["${DOMAIN}"]`);
    expect(stdout).toContain('"dial":"127.0.0.1:8080"');
    expect(stderr).not.toContain('not formatted');
  });
});
