/** A local provider stub with a fixed behavior. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { goodResponse, type StubName } from '../soak/stub-responses.ts';

export type Behavior = 'well' | 'slow' | 'hanging' | 'failing' | 'too_many';

export interface ProviderStub {
  url: string;
  /** The time of each request, in milliseconds since 1970. */
  requests: number[];
  close(): Promise<void>;
}

/** How long a healthy provider takes to respond. */
export const WELL_MS = 400;
const SLOW_MS = 2_000;
/** The Retry-After of a provider that gets too many requests. */
export const RETRY_AFTER_SECONDS = 60;

export async function startProviderStub(name: StubName, behavior: Behavior): Promise<ProviderStub> {
  const requests: number[] = [];
  const server = createServer((request, response) => {
    requests.push(Date.now());
    const address = new URL(request.url ?? '/', 'http://localhost');
    const [body, type] = goodResponse(name, address, requests.length);
    const send = (): void => {
      response.writeHead(200, { 'Content-Type': type }).end(body);
    };
    if (behavior === 'well') setTimeout(send, WELL_MS);
    if (behavior === 'slow') setTimeout(send, SLOW_MS);
    if (behavior === 'failing') response.writeHead(500).end('oops');
    if (behavior === 'too_many') {
      response.writeHead(429, { 'Retry-After': String(RETRY_AFTER_SECONDS) }).end('Rate exceeded.');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
