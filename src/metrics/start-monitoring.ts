/** Serves the metrics and the probes at an address of their own. */

import { detailsOf, messageOf } from '../errors.ts';
import type { HttpServer } from '../http/server.ts';
import type { ServiceDeps } from '../http/service-deps.ts';
import { type Settings, settingsTable } from '../settings/config.ts';
import type { Metrics } from './create-metrics.ts';
import { createMonitoring } from './monitoring-endpoints.ts';

/**
 * Starts listening. Resolves to undefined if metrics are off, and with a warning in the log if the
 * default port is in use: a second service on the machine must not fail for that. Throws `usage` if
 * an address that the operator chose cannot be listened on.
 */
export async function startMonitoring(
  settings: Pick<Settings, 'metrics' | 'metricsHost' | 'metricsPort' | 'bodyTimeoutMs'>,
  deps: ServiceDeps,
  metrics: Metrics,
): Promise<HttpServer | undefined> {
  const { metricsHost: host, metricsPort: port, bodyTimeoutMs } = settings;
  if (!settings.metrics) return undefined;
  // Loaded here, because uWebSockets reads the limit of request heads when it is loaded.
  const { startServer } = await import('../http/server.ts');
  try {
    return await startServer({
      host,
      port,
      bodyTimeoutMs,
      settingNames: {
        host: settingsTable.metricsHost.variable,
        port: settingsTable.metricsPort.variable,
      },
      handle: createMonitoring(deps, metrics),
      onFailure: (error) => deps.log.error('monitoring_failed', { reason: detailsOf(error) }),
    });
  } catch (error) {
    const isDefault =
      host === settingsTable.metricsHost.value && port === settingsTable.metricsPort.value;
    if (!isDefault) throw error;
    deps.log.warn('metrics_not_served', { reason: messageOf(error) });
    return undefined;
  }
}
