/** Reads the metrics of a running server. */

import { messageOf, VerbatimError } from '../../errors.ts';
import { getText, localUrl } from '../../http/get-text.ts';
import { parseExposition } from '../../metrics/exposition.ts';
import type { TimedReading } from '../../metrics/service-numbers.ts';
import type { Settings } from '../../settings/config.ts';

/**
 * Returns the address of the metrics: `url`, else the one that a server with these settings has.
 * Throws `usage` if there is none.
 */
export function metricsUrl(
  url: string | undefined,
  { metricsHost, metricsPort }: Pick<Settings, 'metricsHost' | 'metricsPort'>,
): URL {
  if (url !== undefined) return parseUrl(url);
  if (metricsPort === 0) {
    throw new VerbatimError(
      'usage',
      'VERBATIM_METRICS_PORT is 0, so the server chose the port; name it with --url',
    );
  }
  return localUrl({ host: metricsHost, port: metricsPort }, '/metrics');
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
    const { metricsTimeoutMs: timeoutMs, metricsBytesMax: bytesMax } = limits;
    const received = await getText(url, { timeoutMs, bytesMax, rejectUnauthorized: true });
    if (received.status !== 200) throw new Error(`the status is ${received.status}`);
    text = received.text;
  } catch (error) {
    throw unreachable(url, messageOf(error));
  }
  const reading = parseExposition(text);
  if (reading.sum('verbatim_build_info') === undefined) {
    throw unreachable(url, 'another program answered');
  }
  return { reading, at: Date.now() };
}

function unreachable(url: URL, reason: string): VerbatimError {
  return new VerbatimError(
    'metrics_unreachable',
    `no metrics at ${url.href}: ${reason}; is "verbatim serve" running? ` +
      'Name another address with --url',
  );
}
