/** `verbatim stats` and `verbatim top` on a running server, and without one. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricsUrl, readMetrics } from '../../../src/commands/monitor/read-metrics.ts';
import type { ServiceNumbers } from '../../../src/metrics/service-numbers.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { addAccount, search, untilUsage } from '../../http/contract.ts';
import { useService } from '../../support/use-service.ts';
import { runCommand } from '../../support/verbatim.ts';

const service = useService();

describe('a running server', () => {
  beforeAll(async () => {
    const caller = addAccount(service, { credits: 9 });
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 1 });
  });

  it('has its numbers as JSON', async () => {
    const { stdout } = await runCommand(['stats', '--json', '--url', service.metricsUrl]);
    const numbers = JSON.parse(stdout) as ServiceNumbers;
    expect(numbers).toMatchObject({
      isReady: true,
      isLedgerWritable: true,
      searchesInFlight: 0,
      holdsOpen: 0,
      documents: 214,
      threads: { search: 1, ledger: 1 },
    });
    expect(numbers.searchesPerSecond * numbers.uptimeSeconds).toBeCloseTo(1, 5);
    expect(numbers.searchMs.p50).toBeGreaterThan(0);
    expect(numbers.memoryBytes).toBeGreaterThan(5e7);
  });

  it.each([[['stats']], [['top', '--once']]])('has its numbers as text: %j', async (command) => {
    const { stdout } = await runCommand([...command, '--url', service.metricsUrl]);
    expect(stdout).toMatch(/^Verbatim \d.*, ready, up .*; rates: since the start\n/);
    for (const name of ['searches', 'responses', 'queue', 'ledger', 'database', 'index']) {
      expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
    }
  });
});

describe('what is refused', () => {
  let other: Server;
  let otherUrl: string;
  beforeAll(async () => {
    other = createServer((request, response) => {
      if (request.url === '/long') response.end('x'.repeat(5_000_000));
      else if (request.url !== '/silent') response.end('up 1\n');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    otherUrl = `http://127.0.0.1:${(other.address() as { port: number }).port}`;
  });
  afterAll(() => {
    other.closeAllConnections();
    other.close();
  });

  it('an address without a server', async () => {
    const { stderr } = await runCommand(['stats', '--url', 'http://127.0.0.1:9'], { code: 1 });
    expect(stderr).toMatch(
      /^verbatim: no metrics at http:\/\/127\.0\.0\.1:9\/metrics: \S.*--url\n$/,
    );
  });

  it.each<[string, string]>([
    ['/', 'another program answered'],
    ['/long', 'the answer is longer than 4194304 bytes'],
    ['/silent', 'no answer within 200 ms'],
  ])('another program: %s', async (path, reason) => {
    const metricsTimeoutMs = path === '/silent' ? 200 : 60_000;
    const settings = { ...readSettings({}, {}), metricsTimeoutMs };
    const reading = readMetrics(metricsUrl(`${otherUrl}${path}`, settings), settings);
    await expect(reading).rejects.toMatchObject({
      code: 'metrics_unreachable',
      message: expect.stringContaining(reason),
    });
  });

  it.each(['foo', 'ftp://localhost', ''])('%j as an address', async (url) => {
    const { stderr } = await runCommand(['top', '--once', '--url', url], { code: 2 });
    expect(stderr).toContain('--url must be an address such as http://127.0.0.1:9464');
  });

  it('a live view without a terminal', async () => {
    const { stderr } = await runCommand(['top', '--url', service.metricsUrl], { code: 2 });
    expect(stderr).toBe('verbatim: top needs a terminal; use --once, or verbatim stats\n');
  });
});

it.each<[host: string, port: number, url: string]>([
  ['127.0.0.1', 9464, 'http://127.0.0.1:9464/metrics'],
  ['0.0.0.0', 9000, 'http://127.0.0.1:9000/metrics'],
  ['::', 9464, 'http://[::1]:9464/metrics'],
  ['fd00::7', 9464, 'http://[fd00::7]:9464/metrics'],
])('the address of a server on %s, port %i', (metricsHost, metricsPort, url) => {
  expect(metricsUrl(undefined, { metricsHost, metricsPort }).href).toBe(url);
});

it('a port that the server chose must be named', () => {
  expect(() => metricsUrl(undefined, { metricsHost: 'localhost', metricsPort: 0 })).toThrow(
    'VERBATIM_METRICS_PORT is 0, so the server chose the port; name it with --url',
  );
});
