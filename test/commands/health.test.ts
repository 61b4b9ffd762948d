/** `verbatim health` asks a running server. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { withLimits } from '../support/limits.ts';
import { useService } from '../support/use-service.ts';
import { runCommand } from '../support/verbatim.ts';

const service = useService();

/** A server with one response to everything; returns its address. */
async function answering(status: number, body: string): Promise<string> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('is done when the server is ready', async () => {
  expect((await runCommand(['health', '--url', service.url])).stdout).toBe('ready\n');
});

it('prints what the server says with --json', async () => {
  const { stdout } = await runCommand(['health', '--url', service.url, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'ok', model: 'verbatim-MiniLM-L6' });
});

it('names what is damaged of a server that is ready', async () => {
  const damaged = [{ part: 'lanes', reason: 'lanes: page 7', since: '2026-11-24T02:00:00.000Z' }];
  const url = await answering(200, JSON.stringify({ status: 'ok', damaged }));
  const { stdout } = await runCommand(['health', '--url', url]);
  expect(stdout).toBe('ready\ndamaged since 2026-11-24T02:00:00.000Z: lanes: page 7\n');
});

it('asks the address of the settings', async () => {
  const { port } = new URL(service.url);
  const { stdout } = await runCommand(['health'], { env: { VERBATIM_PORT: port } });
  expect(stdout).toBe('ready\n');
});

it('fails with the reason when the server is not ready', async () => {
  const url = await answering(503, '{"status":"degraded","reason":"the disk is full"}');
  const { stderr } = await runCommand(['health', '--url', url], { code: 1 });
  expect(stderr).toContain(`${url} is not ready: 503 `);
  expect(stderr).toContain('the disk is full');
});

it('fails when nobody listens', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  const { stderr } = await runCommand(['health', '--url', url], { code: 1 });
  expect(stderr).toContain(`verbatim: ${url} is not serving: connect ECONNREFUSED`);
});

it('fails when the answer is too long', async () => {
  const url = await answering(200, 'x'.repeat(70_000));
  const { stderr } = await runCommand(['health', '--url', url], { code: 1 });
  expect(stderr).toContain('is not serving: the answer is longer than 65536 bytes');
});

it.each(['localhost:8080', 'ftp://localhost', ''])('refuses the address "%s"', async (url) => {
  const { stderr } = await runCommand(['health', '--url', url], { code: 2 });
  expect(stderr).toContain(`such as http://localhost:8080, not "${url}"`);
});

it('fails when another program listens', async () => {
  const url = await answering(200, 'hello');
  const { stderr } = await runCommand(['health', '--url', url], { code: 1 });
  expect(stderr).toContain(`verbatim: ${url} is not serving: `);
});

it('fails when the server takes too long', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = withLimits({ healthTimeoutMs: 50 });
  const { stderr } = await runCommand(['health', '--url', url], { env, code: 1 });
  expect(stderr).toContain('is not serving: no answer within 50 ms');
});
