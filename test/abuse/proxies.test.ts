/** Behind nginx and Caddy, set up as src/http/README.md says. Both come from Debian's packages. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openConnection, readUsage, search, send } from '../http/contract.ts';
import { useServer } from '../support/pages.ts';
import { createCustomer } from '../support/service.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../src/http/README.md'), 'utf8');
const BODY = '{"query":"sleep","limit":1}';

const folder = mkdtempSync(join(tmpdir(), 'verbatim-proxies-'));
let secret: string;
const server = useServer(
  async (database) => {
    ({ secret } = createCustomer(database));
  },
  { VERBATIM_PROXIES_TRUSTED: '1' },
);

afterAll(() => rmSync(folder, { recursive: true }));

/** The lines of src/http/README.md that set a proxy up, for a server on the port of this test. */
function recipe(language: string): string {
  const block = readme.split(`\`\`\`${language}\n`)[1]?.split('```')[0];
  expect(block, `a block of ${language} in src/http/README.md`).toBeDefined();
  return (block as string).replaceAll('8080', new URL(server.url).port);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

const proxies: Record<string, (port: number) => [command: string, args: string[]]> = {
  nginx(port) {
    const path = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n');
    writeFileSync(
      path,
      `daemon off; pid ${folder}/nginx.pid; error_log stderr;
       events {}
       http { access_log off; ${temporary}
         server { listen 127.0.0.1:${port}; ${recipe('nginx')} } }`,
    );
    return ['nginx', ['-p', folder, '-c', path]];
  },
  caddy(port) {
    const path = join(folder, 'Caddyfile');
    const site = recipe('caddyfile').replace('search.example.org', `http://127.0.0.1:${port}`);
    writeFileSync(path, `{\n  admin off\n}\n${site}`);
    return ['caddy', ['run', '--config', path, '--adapter', 'caddyfile']];
  },
};

function isInstalled(command: string): boolean {
  return spawnSync(command, [command === 'nginx' ? '-v' : 'version']).status === 0;
}

describe.each(Object.keys(proxies))('behind %s', (name) => {
  const missing = isInstalled(name) ? '' : ` (skipped: ${name} is not installed)`;
  let proxy: ChildProcess;
  let url: string;

  beforeAll(async () => {
    if (missing !== '') return;
    const port = await freePort();
    const [command, args] = proxies[name]?.(port) ?? ['', []];
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    proxy = spawn(command, args, { stdio: 'ignore', env });
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
});
