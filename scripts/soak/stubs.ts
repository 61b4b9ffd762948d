/** Provider stubs that respond well, slowly, with 429, with garbage, or never. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRandom, type Random } from '../bench/random.ts';
import { goodResponse, type StubName } from './stub-responses.ts';

export type Fault = 'well' | 'slow' | 'too_many' | 'rubbish' | 'hang';

export interface Stub {
  url: string;
  /** The time of each request (performance.now()). */
  requests: number[];
  /** Requests by behavior. */
  faults: Record<Fault, number>;
  close(): Promise<void>;
}

/** The share of each behavior, in percent. */
const mixture: readonly [Fault, number][] = [
  ['well', 45],
  ['slow', 25],
  ['too_many', 8],
  ['rubbish', 12],
  ['hang', 10],
];
const SLOW_MS_MAX = 4_000;
const rubbish = ['<html><body>Just a moment…</body></html>', '{"data":[', '<feed><entry><title>'];

/** `only` sets a fixed behavior. Without it, each request gets a random behavior. */
export async function startStub(name: StubName, seed: string, only?: Fault): Promise<Stub> {
  const random = createRandom(`${seed} ${name}`);
  const requests: number[] = [];
  const faults: Stub['faults'] = { well: 0, slow: 0, too_many: 0, rubbish: 0, hang: 0 };
  const server = createServer((request, response) => {
    requests.push(performance.now());
    const fault = only ?? drawFault(random);
    faults[fault]++;
    respond({ name, fault, random, count: requests.length }, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function drawFault(random: Random): Fault {
  let left = random.below(100);
  for (const [fault, share] of mixture) {
    if (left < share) return fault;
    left -= share;
  }
  return 'well';
}

interface Received {
  name: StubName;
  fault: Fault;
  random: Random;
  count: number;
}

function respond(received: Received, request: IncomingMessage, response: ServerResponse): void {
  const { name, fault, random, count } = received;
  const send = (status: number, body: string, type: string): void => {
    response.writeHead(status, { 'Content-Type': type }).end(body);
  };
  const sendGood = (): void => {
    send(200, ...goodResponse(name, new URL(request.url ?? '/', 'http://localhost'), count));
  };
  switch (fault) {
    case 'well':
      sendGood();
      return;
    case 'slow':
      setTimeout(sendGood, random.below(SLOW_MS_MAX));
      return;
    case 'too_many':
      // Real providers do not always send Retry-After.
      if (random.unit() < 0.5) response.setHeader('Retry-After', '1');
      send(429, 'Rate exceeded.', 'text/plain');
      return;
    case 'rubbish':
      send(
        random.unit() < 0.5 ? 200 : 500,
        rubbish[random.below(rubbish.length)] ?? '',
        'text/html',
      );
      return;
    case 'hang':
      return;
  }
}
