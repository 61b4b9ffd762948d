/** Serves the pages of the operator on the loopback interface, if the settings say so. */
import { hostname } from 'node:os';
import type { AccountDeps } from '../accounts/account-deps.ts';
import { baseUrl } from '../accounts/base-url.ts';
import type { RequestRecorder } from '../accounts/request-recorder.ts';
import { isLoopback } from '../dashboard/operator/guard-local.ts';
import { createOperatorListener } from '../dashboard/operator/operator-listener.ts';
import { createAuditRunner } from '../dashboard/operator/page/audit-runner.ts';
import type { OperatorDeps } from '../dashboard/operator/page/operator-deps.ts';
import { createUpdateRunner } from '../dashboard/operator/page/update-runner.ts';
import { loadAssets } from '../dashboard/page/assets.ts';
import { createExpiringStore } from '../dashboard/page/expiring-store.ts';
import { createSubmitOnce } from '../dashboard/page/submit-once.ts';
import type { DamageRegister } from '../database/damage/damage-register.ts';
import { detailsOf, VerbatimError } from '../errors.ts';
import type { HttpServer } from '../http/server.ts';
import type { IndexFigures } from '../index/ports/index-source.ts';
import type { Log } from '../log.ts';
import { createAlertChannels } from '../metrics/alerts/alert-channels.ts';
import { type AlertWatch, createAlertWatch } from '../metrics/alerts/alert-watch.ts';
import { createWebhook, type WebhookSettings } from '../metrics/alerts/send-webhook.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { createServerHistory, type ServerHistory } from '../metrics/server-history.ts';
import type { SearchPool } from '../search/threads/search-pool.ts';
import { type Settings, settingsTable } from '../settings/config.ts';
import { parseHours } from '../sources/update-hours.ts';
import type { ServedAccounts } from './open-accounts.ts';
import { prepareReading } from './prepare-reading.ts';
import { startSourceUpdates } from './start-source-updates.ts';

/** Throws `usage` for addresses and hours that cannot be used, before anything starts. */
export function assertOperatorSettings({
  operatorPages,
  operatorHost,
  sourceUpdateHours,
  ...alerts
}: Pick<Settings, 'operatorPages' | 'operatorHost' | 'sourceUpdateHours'> & WebhookSettings): void {
  parseHours(sourceUpdateHours);
  createWebhook(alerts);
  if (!operatorPages || isLoopback(operatorHost)) return;
  throw new VerbatimError(
    'usage',
    `VERBATIM_OPERATOR_HOST must be an address of the loopback interface, such as 127.0.0.1, not "${operatorHost}": ` +
      'the pages of the operator need no sign-in there',
  );
}

/** What the pages of the operator are made of. */
export interface OperatorPages {
  deps: OperatorDeps;
  /** Starts what the pages read with if there are operators, so that their first page need not wait. Never rejects. */
  warmUp(): Promise<void>;
  /** Ends what goes on, and drops links and codes. Resolves when an alert under way was handed over. */
  stop(): Promise<void>;
}

export interface OperatorPagesOptions {
  settings: Settings;
  /** The settings file that `--config` names. */
  config: string | undefined;
  log: Log;
  metrics: Pick<Metrics, 'read'>;
  accountStore: Pick<ServedAccounts, 'samples' | 'updates' | 'asOperator'>;
  damage: Pick<DamageRegister, 'all'>;
  accounts: AccountDeps;
  requests: Pick<RequestRecorder, 'flush'>;
  pool: Pick<SearchPool, 'run'>;
  index: { figures: Pick<IndexFigures, 'builds' | 'sources'> };
  /** The port on which the service listens. */
  port: () => number;
}

/** Starts sampling, for pages wherever they are served. */
export function createOperatorPages(options: OperatorPagesOptions): OperatorPages {
  const { settings, config, log, metrics, accountStore, accounts, requests, pool, port } = options;
  const history = createServerHistory({
    read: metrics.read,
    store: accountStore.samples,
    historyStepMs: settings.historyStepMs,
    historySamplesMax: settings.historySamplesMax,
    now: Date.now,
    onFailure(error) {
      // The log already has the cause.
      if (error instanceof VerbatimError && error.code === 'degraded') return;
      log.error('sample_failed', { reason: detailsOf(error) });
    },
  });
  const alerts = startAlerts(options, history);
  const { asOperator } = accountStore;
  // All operators are one owner of links: any of them may see what waits.
  const {
    newSecretsMax: valuesMax,
    newSecretsPerCustomerMax,
    newSecretsShownMs: lifetimeMs,
  } = settings;
  const links: OperatorDeps['links'] = createExpiringStore({
    valuesMax,
    valuesPerOwnerMax: valuesMax,
    lifetimeMs,
  });
  const recoveryCodes: OperatorDeps['recoveryCodes'] = createExpiringStore({
    valuesMax,
    valuesPerOwnerMax: newSecretsPerCustomerMax,
    lifetimeMs,
  });
  const { startReading, warmUp } = prepareReading(options);
  const deps: OperatorDeps = {
    audits: createAuditRunner({ asOperator, log, now: Date.now, ...settings }),
    updates: createUpdateRunner({
      settings,
      config,
      store: accountStore.updates,
      log,
      now: Date.now,
    }),
    index: {
      summarize: () => pool.run({ about: 'index' }),
      explain: (question) => pool.run({ explain: question }),
      builds: options.index.figures.builds,
      sources: options.index.figures.sources,
    },
    settings,
    log,
    assets: loadAssets(),
    now: Date.now,
    history,
    alerts,
    accounts,
    flushRequests: requests.flush,
    asOperator,
    startReading,
    linkSettings: () => ({ ...settings, port: port() }),
    links,
    recoveryCodes,
    linkForms: createSubmitOnce({ formsMax: valuesMax, formsPerOwnerMax: valuesMax, lifetimeMs }),
  };
  const stopSourceUpdates = startSourceUpdates({
    hours: settings.sourceUpdateHours,
    updates: deps.updates,
    countSources: async () => (await deps.index.sources()).length,
    log,
  });
  const stop = async (): Promise<void> => {
    const alerted = alerts.close();
    stopSourceUpdates();
    history.close();
    deps.audits.close();
    deps.updates.close();
    links.clear();
    recoveryCodes.clear();
    await alerted;
  };
  return { deps, warmUp, stop };
}

/** Looks for what is wrong from now on, and tells operators. */
function startAlerts(
  { settings, log, damage, accounts, port }: OperatorPagesOptions,
  history: ServerHistory,
): AlertWatch {
  const { store, sendMail } = accounts;
  const channels = createAlertChannels({
    sendMail,
    webhook: createWebhook(settings),
    contact: settings.operatorContact,
    log,
  });
  const place = () => ({
    server: `${hostname()}:${port()}`,
    baseUrl: baseUrl({ ...settings, port: port() }),
  });
  const now = Date.now;
  return createAlertWatch({ history, damage, store, channels, settings, place, log, now });
}

/**
 * Serves the pages on the loopback interface, without sign-in, if the settings say so. Throws `usage` if it
 * cannot listen.
 */
export async function listenForOperator(deps: OperatorDeps): Promise<HttpServer | undefined> {
  const { settings, log } = deps;
  const { operatorHost: host, operatorPort: port, bodyTimeoutMs } = settings;
  if (!settings.operatorPages) return undefined;
  // Loaded here, because uWebSockets reads the limit of request heads when it is loaded.
  const { startServer } = await import('../http/server.ts');
  return await startServer({
    host,
    port,
    bodyTimeoutMs,
    settingNames: {
      host: settingsTable.operatorHost.variable,
      port: settingsTable.operatorPort.variable,
    },
    handle: createOperatorListener(deps),
    onFailure: (error) => log.error('operator_pages_failed', { reason: detailsOf(error) }),
  });
}
