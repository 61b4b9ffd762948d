/** Stubs of providers, which answer well, slowly, wrongly, or never. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../measure/random.ts';
import { goodResponse, type ProviderName, providerNames } from './stub-responses.ts';

/** What a stub does with a request. */
interface Response {
  kind: Behavior;
  /** It hangs if this is infinite. */
  delayMs?: number;
  status?: number;
  retryAfterSeconds?: number;
  /** A good answer without it. */
  text?: string;
}

export type Behavior = 'well' | 'slow' | 'hanging' | 'failing' | 'too_many' | 'rubbish';

const responses: Record<Behavior, Response> = {
  well: { kind: 'well', delayMs: 400 },
  slow: { kind: 'slow', delayMs: 2_000 },
  hanging: { kind: 'hanging', delayMs: Infinity },
  failing: { kind: 'failing', status: 500, text: 'oops' },
  too_many: { kind: 'too_many', status: 429, retryAfterSeconds: 60, text: 'Rate exceeded.' },
  rubbish: { kind: 'rubbish', text: '{"data":[' },
};

/** The shares of behaviors among random ones, in percent. */
const mixture = { well: 45, slow: 25, too_many: 8, rubbish: 12, hanging: 10 };
const drawn = Object.entries(mixture).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as keyof typeof mixture),
);
const SLOW_MS_MAX = 4_000;
const rubbish = ['<html><body>Just a moment…</body></html>', '{"data":[', '<feed><entry><title>'];

/** Behaves the same with each request. */
export function always(behavior: Behavior): () => Response {
  return () => responses[behavior];
}

/** Draws a behavior for each request. */
export function atRandom(random: Random): () => Response {
  const isHeads = (): boolean => random.unit() < 0.5;
  return () => {
    const kind = drawn[random.below(drawn.length)] ?? 'well';
    if (kind === 'well') return { kind };
    if (kind === 'slow') return { kind, delayMs: random.below(SLOW_MS_MAX) };
    if (kind === 'rubbish') {
      const text = rubbish[random.below(rubbish.length)] ?? '';
      return { kind, status: isHeads() ? 200 : 500, text };
    }
    // Real providers do not always say when to come again.
    if (kind === 'too_many' && isHeads()) return { ...responses[kind], retryAfterSeconds: 1 };
    return kind === 'too_many' ? { kind, status: 429, text: 'Rate exceeded.' } : responses[kind];
  };
}

export interface Stubs {
  /** The settings of a server that asks them. */
  env: Record<string, string>;
  /** The times of the requests to each, in milliseconds since 1970. */
  requests: Record<ProviderName, number[]>;
  /** Requests by behavior. */
  counts: Partial<Record<Behavior, number>>;
  close(): Promise<void>;
}

/** Starts a stub of each provider. */
export async function startStubs(drawOf: (name: ProviderName) => () => Response): Promise<Stubs> {
  const requests = { arxiv: [] as number[], semantic_scholar: [], crossref: [] };
  const env: Record<string, string> = {
    VERBATIM_LANES: 'arxiv,semantic_scholar,web',
    VERBATIM_LANE_CONTACT: 'lanes@example.org',
  };
  const counts: Stubs['counts'] = {};
  const servers = providerNames.map((name) => {
    const draw = drawOf(name);
    const times: number[] = requests[name];
    return createServer((request, response) => {
      times.push(Date.now());
      const { kind, delayMs = 0, status = 200, retryAfterSeconds, text } = draw();
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (delayMs === Infinity) return;
      const address = new URL(request.url ?? '/', 'http://localhost');
      const good = (): [string, string] => goodResponse(name, address, times.length);
      const [body, type] = text === undefined ? good() : [text, 'text/html'];
      if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
      setTimeout(() => response.writeHead(status, { 'Content-Type': type }).end(body), delayMs);
    });
  });
  for (const [at, server] of servers.entries()) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    env[`VERBATIM_${providerNames[at]?.toUpperCase()}_URL`] = `http://127.0.0.1:${port}`;
  }
  return {
    env,
    requests,
    counts,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
