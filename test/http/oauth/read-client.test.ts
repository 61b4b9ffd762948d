/** The reader of clients' metadata against sites that answer slowly, late, or compressed. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAttemptCounter } from '../../../src/accounts/ports/attempt-counter.ts';
import { type ClientReader, createClientReader } from '../../../src/http/oauth/read-client.ts';
import { readSettings, type Settings } from '../../../src/settings/config.ts';

const pages = new Map<string, RequestListener>();
const site = createServer((request, response) => pages.get(request.url ?? '')?.(request, response));
let origin: string;
let fetches = 0;
let reader: ClientReader;
let clock: number;

beforeAll(async () => {
  site.on('request', () => fetches++);
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(() => {
  site.closeAllConnections();
  site.close();
});

beforeEach(() => {
  clock = 0;
  use({});
});

afterEach(() => reader.close());

function use(changed: Partial<Settings>): void {
  const settings = readSettings({}, { VERBATIM_CLIENT_ORIGINS: origin });
  reader = createClientReader({
    settings: { ...settings, ...changed },
    store: createAttemptCounter(10_000),
    now: () => clock,
  });
}

function metadata(path: string): string {
  const document = { client_id: `${origin}${path}`, redirect_uris: ['https://agent.example/back'] };
  return JSON.stringify(document);
}

function answer(response: ServerResponse, body: string | Buffer, headers = {}): void {
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body);
}

/** Puts metadata at a path. Returns the client's id. */
function serve(path: string): string {
  pages.set(path, (_request, response) => answer(response, metadata(path)));
  return `${origin}${path}`;
}

describe("the reader of clients' metadata", () => {
  it('asks no more sites at once than the setting says', async () => {
    use({ clientFetchesMax: 2 });
    const waiting: ServerResponse[] = [];
    pages.set('/one', (_request, response) => waiting.push(response));
    pages.set('/two', (_request, response) => waiting.push(response));
    const both = ['/one', '/two'].map((path) => reader.read(`${origin}${path}`, 1));
    await expect.poll(() => waiting.length).toBe(2);
    await expect(reader.read(serve('/three'), 2)).rejects.toMatchObject({ code: 'at_capacity' });
    for (const response of waiting) answer(response, metadata(response.req.url ?? ''));
    expect((await Promise.all(both)).map(({ id }) => id)).toEqual([
      `${origin}/one`,
      `${origin}/two`,
    ]);
    await expect(reader.read(`${origin}/three`, 2)).resolves.toMatchObject({
      name: new URL(origin).host,
    });
  });

  it('gives up on a site that never ends its answer', async () => {
    use({ clientMetadataTimeoutMs: 200 });
    pages.set('/drip', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(more));
    });
    await expect(reader.read(`${origin}/drip`, 1)).rejects.toThrow(/no response in time/);
  });

  it('reads nothing that is compressed, however small it is', async () => {
    pages.set('/gzip', (_request, response) => {
      const body = gzipSync(metadata('/gzip').padEnd(1_000_000));
      answer(response, body, { 'Content-Encoding': 'gzip' });
    });
    await expect(reader.read(`${origin}/gzip`, 1)).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('keeps as many clients as the setting says, for as long as it says, and no failures', async () => {
    use({ clientMetadataKeptMax: 1, clientMetadataKeptMs: 1_000 });
    const count = async (path: string): Promise<number> => {
      const before = fetches;
      await reader.read(serve(path), 1).catch(() => {});
      return fetches - before;
    };
    expect([await count('/a'), await count('/a')]).toEqual([1, 0]);
    expect([await count('/b'), await count('/a')]).toEqual([1, 1]);
    clock += 1_000;
    expect(await count('/a')).toBe(1);
    pages.set('/late', (_request, response) => void response.writeHead(404).end());
    await expect(reader.read(`${origin}/late`, 1)).rejects.toThrow(/answered 404/);
    expect(await count('/late')).toBe(1);
  });

  it('ends what it waits for when the server stops', async () => {
    pages.set('/never', () => {});
    const before = fetches;
    const read = reader.read(`${origin}/never`, 1);
    await expect.poll(() => fetches).toBe(before + 1);
    const ended = expect(read).rejects.toThrow();
    await reader.close();
    await ended;
  });
});
