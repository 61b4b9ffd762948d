/** One scrape of a server's metrics, as Prometheus does it. */
import { expect } from 'vitest';
import { parseExposition, type Reading } from '../../src/metrics/exposition.ts';
import { send } from '../http/contract.ts';

export async function scrape(metricsUrl: string): Promise<Reading & { text: string }> {
  const { status, text, headers } = await send(metricsUrl, { path: '/metrics' });
  expect(status, text).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return { ...parseExposition(text), text };
}
