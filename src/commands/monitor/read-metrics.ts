/** Reads the metrics of a running server. */
import type { Settings } from '../../config.ts';
import { messageOf, VerbatimError } from '../../errors.ts';
import { parseExposition } from '../../metrics/exposition.ts';
import type { TimedReading } from '../../metrics/service-numbers.ts';

/** Addresses that a server listens on and that nobody can connect to. */
const listenOnly: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Returns the address of the metrics: `given`, else the one that a server with these settings has.
 * Throws `usage` if there is none.
 */
export function metricsUrl(
  given: string | undefined,
  { metricsHost, metricsPort }: Pick<Settings, 'metricsHost' | 'metricsPort'>,
): URL {
  if (given !== undefined) return parseUrl(given);
  if (metricsPort === 0) {
    throw new VerbatimError(
      'usage',
      'VERBATIM_METRICS_PORT is 0, so the server chose the port; name it with --url',
    );
  }
  const host = listenOnly[metricsHost] ?? metricsHost;
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${metricsPort}/metrics`);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new VerbatimError(
      'usage',
      `--url must be an address such as http://127.0.0.1:9464, not "${text}"`,
    );
  }
  if (url.pathname === '/') url.pathname = '/metrics';
  return url;
}

export type ReadLimits = Pick<Settings, 'metricsTimeoutMs' | 'metricsBytesMax'>;

/** Throws `metrics_unreachable` if there is no server, or another program answers. */
export async function readMetrics(url: URL, limits: ReadLimits): Promise<TimedReading> {
  let text: string;
  try {
    const signal = AbortSignal.timeout(limits.metricsTimeoutMs);
    const response = await fetch(url, { signal });
    text = await readText(response, limits.metricsBytesMax);
    if (!response.ok) throw new Error(`the status is ${response.status}`);
  } catch (error) {
    throw unreachable(url, reasonOf(error));
  }
  const reading = parseExposition(text);
  if (reading.sum('verbatim_build_info') === undefined) {
    throw unreachable(url, 'another program answered');
  }
  return { reading, at: Date.now() };
}

async function readText({ body }: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`the answer is longer than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Node's `fetch` says only that it failed, and has the reason as the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause ?? error);
}

function unreachable(url: URL, reason: string): VerbatimError {
  return new VerbatimError(
    'metrics_unreachable',
    `no metrics at ${url.href}: ${reason}; is "verbatim serve" running? ` +
      'Name another address with --url',
  );
}
