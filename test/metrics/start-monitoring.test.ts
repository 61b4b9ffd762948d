/** The address of the metrics when it is off or in use. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServiceDeps } from '../../src/http/service-deps.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics/create-metrics.ts';
import { startMonitoring } from '../../src/metrics/start-monitoring.ts';
import { readSettings, settingsTable } from '../../src/settings/config.ts';

const lines: string[] = [];
const deps = { log: createLog((line) => lines.push(line)) } as ServiceDeps;
const metrics = createMetrics();
const HOST = '127.0.0.1';
let taken: Server;
let takenPort: number;

/** Listens on a port. A port that is in use already serves as well. */
function listen(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(server));
    server.listen(port, HOST, () => resolve(server));
  });
}

beforeAll(async () => {
  taken = await listen(0);
  takenPort = (taken.address() as { port: number }).port;
});
afterAll(() => {
  taken.close();
  metrics.close();
});

it('ends the start if the operator chose it', async () => {
  const settings = readSettings({ metricsPort: takenPort }, {});
  await expect(startMonitoring(settings, deps, metrics)).rejects.toMatchObject({
    code: 'usage',
    message:
      `cannot listen on ${HOST}:${takenPort}: port ${takenPort} is in use by another program; ` +
      'choose one with VERBATIM_METRICS_PORT',
  });
});

it('causes a warning if it is the default', async () => {
  const settings = readSettings({}, {});
  const other = await listen(settingsTable.metricsPort.value);
  expect(await startMonitoring(settings, deps, metrics)).toBeUndefined();
  other.close();
  expect(JSON.parse(lines.pop() ?? '')).toMatchObject({
    level: 'warn',
    event: 'metrics_not_served',
    reason: expect.stringContaining('choose one with VERBATIM_METRICS_PORT'),
  });
});

it('is left alone if metrics are off', async () => {
  const settings = readSettings({ metrics: false, metricsPort: takenPort }, {});
  expect(await startMonitoring(settings, deps, metrics)).toBeUndefined();
  expect(lines).toEqual([]);
});
