/** Starts and stops the service with all its dependencies, without losing anything. */
import { setImmediate as afterEvents, setTimeout as wait } from 'node:timers/promises';
import type { AccountDeps } from '../accounts/account-deps.ts';
import { baseUrl } from '../accounts/base-url.ts';
import { startBillingNotices } from '../accounts/billing-notices.ts';
import { isSecure } from '../accounts/cookies.ts';
import { assertAccountSettings, createAccounts } from '../accounts/create-accounts.ts';
import { watchWal } from '../accounts/ledger-thread/wal-watch.ts';
import type { Offer } from '../accounts/payments/packs.ts';
import { openTopUp, readOffer } from '../accounts/payments/top-up.ts';
import { cleanUp } from '../accounts/ports/clean-up.ts';
import { createRequestRecorder } from '../accounts/request-recorder.ts';
import { createDashboard, type Dashboard } from '../dashboard/create-dashboard.ts';
import { guardSignedIn } from '../dashboard/operator/guard-signed-in.ts';
import { createDamageRegister, type DamageRegister } from '../database/damage/damage-register.ts';
import { damageOf } from '../database/damage/notice-damage.ts';
import type { Connection } from '../database/sqlite/connection.ts';
import { detailsOf } from '../errors.ts';
import { createConcurrencyLimiter } from '../http/concurrency-limiter.ts';
import type { OAuthDeps } from '../http/oauth/oauth-deps.ts';
import { assertOAuthSettings } from '../http/oauth/oauth-options.ts';
import type { HttpServer } from '../http/server.ts';
import { createService } from '../http/service.ts';
import type { ServiceDeps, ServiceState } from '../http/service-deps.ts';
import { datesFault, readTlsIdentity, type TlsIdentity, tlsFilesOf } from '../http/tls-identity.ts';
import { indexPlace } from '../index/open/index-place.ts';
import type { Lanes } from '../lanes/lane/lane.ts';
import { type RunningFallback, startFallback } from '../lanes/start-fallback.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics/create-metrics.ts';
import { startMonitoring } from '../metrics/start-monitoring.ts';
import type { SearchPool } from '../search/threads/search-pool.ts';
import type { Settings } from '../settings/config.ts';
import { version } from '../settings/version.ts';
import { describeModel } from '../text/embed/model.ts';
import type { SearchRequest } from '../types.ts';
import type { VerifyPool } from '../verify/threads/verify-pool.ts';
import { storeOptions } from './cli/options.ts';
import { type CountedPages, countPages } from './count-pages.ts';
import { startFileChecks } from './file-checks.ts';
import { limitHeadBytes } from './library-environment.ts';
import { openAccounts, type ServedAccounts } from './open-accounts.ts';
import { openForServing } from './open-for-serving.ts';
import { type McpEndpoint, openMcp } from './open-mcp.ts';
import { openClientAccess, openOAuth, respondToClientsAnd } from './open-oauth.ts';
import {
  assertOperatorSettings,
  createOperatorPages,
  listenForOperator,
  type OperatorPages,
} from './open-operator.ts';
import { openPools } from './open-pools.ts';
import { openServedIndex, type ServedIndex } from './open-served-index.ts';
import { registerSources } from './register-sources.ts';
import { type CertificateReloader, createCertificateReloader } from './reload-certificate.ts';
import { startWarmUp, type WarmUp } from './warm-up.ts';

/** How long requests may be on their way over connections that a stopping server has accepted. */
const ON_THEIR_WAY_MS = 100;
/** How long a proxy's probe may take to see that the server stops: see `setup/caddyfile.ts`. */
const PROBED_MS = 300;
/** A turn of the event loop in which hardly anything happened. */
const QUIET_TURN_MS = 0.2;
const QUIET_TURNS_MAX = 100;

export interface ServiceOptions {
  settings: Settings;
  /** The settings file that `--config` names, for processes that the service starts. */
  config?: string | undefined;
  log: Log;
  /**
   * Called when the database is open, with what receives damage of the tables of lanes. Resolves to
   * undefined if no lane is enabled. The lanes close with the service.
   */
  openLanes: (damage: DamageRegister) => Promise<Lanes | undefined>;
}

export interface RunningService {
  port: number;
  /** The port of the metrics; undefined if they are not served. */
  metricsPort: number | undefined;
  /** The port of the operator's pages on the loopback interface; undefined if they are not served. */
  operatorPort: number | undefined;
  modelName: string;
  inFlight(): number;
  /** Reads the certificate again; see reload-certificate.ts. */
  reload(): void;
  /** Lets searches in flight finish and their responses leave, then closes everything. */
  stop(): Promise<void>;
}

/** Everything that must be closed. */
interface Running {
  server: HttpServer;
  certificate: CertificateReloader;
  /** Undefined if metrics are not served. */
  monitoring: HttpServer | undefined;
  operator: OperatorPages;
  /** Undefined if the pages of the operator are not served on the loopback interface. */
  operatorListener: HttpServer | undefined;
  metrics: Metrics;
  deps: ServiceDeps;
  pool: SearchPool;
  verifyPool: VerifyPool;
  /** Undefined until the service is ready. */
  warmUp?: WarmUp;
  /** Undefined until the service is ready. */
  stopCheckingFile?: () => Promise<void>;
  fallback: RunningFallback | undefined;
  accountStore: ServedAccounts;
  stopWatchingWal: () => void;
  stopCleaningUp: () => void;
  stopBilling: () => Promise<void>;
  accounts: AccountDeps;
  dashboard: Dashboard;
  pages: CountedPages;
  oauth: OAuthDeps | undefined;
  mcp: McpEndpoint;
  index: ServedIndex;
  db: Connection;
  unlock: () => void;
}

/**
 * Starts the service. Resolves when it is ready for searches. Throws `database_busy`,
 * `model_mismatch` and similar errors before it listens.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { settings, log } = options;
  assertAccountSettings(settings);
  assertOAuthSettings(settings);
  assertOperatorSettings(settings);
  const offer = readOffer(settings);
  const tls = readTls(settings, log);
  const model = describeModel(settings.model);
  const place = indexPlace(settings);
  const { db, unlock } = await openForServing(settings, log);
  const damage = createDamageRegister(log);
  const opening = openServedIndex({ settings, place, model, log, damage });
  const index = await opening.catch((error: unknown) => {
    db.close();
    unlock();
    throw error;
  });

  let state: ServiceState = 'starting';
  const running = await startDeps({
    ...options,
    offer,
    tls,
    db,
    index,
    unlock,
    damage,
    state: () => state,
  });
  const stop = async (): Promise<void> => {
    state = 'stopping';
    if (settings.proxiesTrusted > 0) await wait(PROBED_MS);
    await stopDeps(running, settings.drainTimeoutMs);
  };
  try {
    // While threads load the model, this one has nothing else to do.
    await Promise.all([
      loadModels(running, settings.searchThreads),
      // Without a warm-up, the first call of an agent loads it.
      settings.warmUpSearches > 0 && running.mcp.load(),
      running.operator.warmUp(),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  state = 'ok';
  const { deps } = running;
  running.warmUp = startWarmUp({
    log,
    searches: settings.warmUpSearches,
    threads: settings.searchThreads,
    titleAt: running.index.figures.titleAt,
    search: deps.search,
    isIdle: () => deps.searchLimiter.inFlight() + running.pages.inFlight() === 0,
  });
  running.stopCheckingFile = startFileChecks({ ...options, damage, switches: index.switches });
  return {
    port: running.server.port,
    metricsPort: running.monitoring?.port,
    operatorPort: running.operatorListener?.port,
    modelName: await index.modelName(),
    stop,
    reload: running.certificate.reload,
    inFlight: () => deps.searchLimiter.inFlight(),
  };
}

/** Reads the certificate. One that clients refuse today is served if the operator allowed it. */
function readTls(settings: Settings, log: Log): TlsIdentity | undefined {
  const files = tlsFilesOf(settings);
  if (files === undefined) return undefined;
  const identity = readTlsIdentity(files);
  const fault = datesFault(identity, Date.now());
  if (fault !== undefined) log.error('certificate_refused_by_clients', { reason: fault });
  return identity;
}

interface StartOptions extends ServiceOptions {
  offer: Offer | undefined;
  tls: TlsIdentity | undefined;
  db: Connection;
  index: ServedIndex;
  unlock: () => void;
  damage: DamageRegister;
  state: () => ServiceState;
}

/** Opens the accounts. A start that fails here leaves the database to others. */
async function openAccountsOrClose(options: StartOptions): Promise<ServedAccounts> {
  try {
    return await openAccounts(options);
  } catch (error) {
    options.db.close();
    options.unlock();
    throw error;
  }
}

async function startDeps(options: StartOptions): Promise<Running> {
  const { settings, config, log, offer, tls, db, index, unlock, damage, state } = options;
  // Lanes first, because wrong lane settings end the start here.
  const lanes = await options.openLanes(damage);
  const accountStore = await openAccountsOrClose(options);
  const accounts = createAccounts({ settings, store: accountStore, log });
  const { pool, verifyPool } = openPools(options, index);
  const learnInto = storeOptions(settings);
  const fallback = lanes && startFallback({ ...options, store: index.place, learnInto, lanes });
  const metrics = createMetrics();
  const requests = createRequestRecorder({ store: accountStore, log, settings });
  const address = (): string => baseUrl({ ...settings, port: server.port });
  const deps: ServiceDeps = {
    ...index.figures,
    indexEngine: index.engine,
    settings,
    log,
    observer: metrics.observer,
    store: accountStore,
    requests,
    clientAccess: openClientAccess(settings, address),
    requestsInFlight: new Map(),
    state,
    damage,
    version,
    modelName: index.modelName,
    now: Date.now,
    searchLimiter: createConcurrencyLimiter(settings.inFlightMax, {
      permitMsMax: searchMsMax(settings),
    }),
    topUp: await openTopUp(offer, settings, { writer: accountStore, log, now: Date.now }),
    webhookLimiter: createConcurrencyLimiter(settings.webhooksInFlightMax, {
      permitMsMax: settings.bodyTimeoutMs + settings.lockWaitMs,
    }),
    search: (request) => pool.run(request),
    similar: (request) => pool.run(request),
    findPapers: (request) => pool.run(request),
    listChanges: (request) => pool.run(request),
    summarizeIndex: () => pool.run({ about: 'index' }),
    verify: verifyPool.run,
    lanes: fallback,
    respondToMcp: (call) => mcp.respond(call),
  };
  const mcp = openMcp(() => deps, index);
  limitHeadBytes(settings.headBytesMax);
  // Loaded here, because no other command or thread needs the web framework, and because it reads the
  // limit above when it is loaded.
  const { startServer } = await import('../http/server.ts');
  const { host, port, bodyTimeoutMs } = settings;
  const onFailure = (error: unknown) => log.error('http_failed', { reason: detailsOf(error) });
  const oauth = await openOAuth(accounts, deps, address);
  const dashboard = createDashboard({ accounts, service: deps, oauth, baseUrl: address });
  const shared = { accountStore, accounts, requests, pool, index, damage };
  const opened = { settings, config, log, metrics, ...shared };
  const operator = createOperatorPages({ ...opened, port: () => server.port });
  const next = await respondToClientsAnd(dashboard.respondToPage, oauth);
  const respond = guardSignedIn({ deps: operator.deps, isSecure: isSecure(settings), next });
  const pages = countPages(respond);
  const handle = createService(deps, pages.respond);
  const server = await startServer({ host, port, tls, bodyTimeoutMs, handle, onFailure, log });
  const certificate = createCertificateReloader(server, tls, log);
  const measured = { ...options, deps, accountStore, pool, fallback };
  registerSources(metrics, { ...measured, certificate: certificate.current });
  const beside = await startBeside(server, { settings, deps, metrics, operator });
  const stopWatchingWal = watchWal({ ...settings, log, emptyWal: accountStore.emptyWal });
  const stopCleaningUp = cleanUp({ ...settings, store: accountStore });
  const stopBilling = startBilling(accounts, deps, address);
  const listening = { server, certificate, ...beside, metrics, dashboard, oauth, mcp, pages };
  const stopping = { stopWatchingWal, stopCleaningUp, stopBilling };
  const writing = { accountStore, ...stopping, accounts, db, unlock };
  return { ...listening, ...writing, index, pool, verifyPool, deps, fallback };
}

/** Starts the listeners beside the service. If one cannot listen, all of them are closed. */
async function startBeside(
  server: HttpServer,
  {
    settings,
    deps,
    metrics,
    operator,
  }: Pick<Running, 'deps' | 'metrics' | 'operator'> & Pick<ServiceOptions, 'settings'>,
): Promise<Pick<Running, 'monitoring' | 'operator' | 'operatorListener'>> {
  let monitoring: HttpServer | undefined;
  try {
    monitoring = await startMonitoring(settings, deps, metrics);
    const operatorListener = await listenForOperator(operator.deps);
    void operator.deps.updates.resume();
    return { monitoring, operator, operatorListener };
  } catch (error) {
    void operator.stop();
    // A server that listens would keep the process from ending.
    monitoring?.close();
    server.close();
    throw error;
  }
}

/** Starts what bills customers in the background. Returns the function that stops it. */
function startBilling(
  accounts: AccountDeps,
  { topUp }: Pick<ServiceDeps, 'topUp'>,
  address: () => string,
): () => Promise<void> {
  const stops = [startBillingNotices(accounts, address), topUp.automatic?.start()];
  return async () => {
    await Promise.all(stops.map((stop) => stop?.()));
  };
}

/**
 * Returns the longest that a search holds its permit: its body, the search itself, then the page
 * that fetches the result; or the searches of a batch.
 */
function searchMsMax(settings: Settings): number {
  const { bodyTimeoutMs, triedSearchFetchMs, batchTimeoutMs, requestTimeoutMs } = settings;
  return Math.max(bodyTimeoutMs, triedSearchFetchMs, batchTimeoutMs) + requestTimeoutMs;
}

/**
 * Loads the model in every thread, by running one search per thread. A damaged index is served as far
 * as it goes, and `/health` says so.
 */
async function loadModels({ pool, fallback }: Running, threads: number): Promise<void> {
  const request: SearchRequest = { query: 'warm up', limit: 1, withAbstract: false };
  await Promise.all([
    ...Array.from({ length: threads }, () => pool.run(request).catch(unlessDamaged)),
    fallback?.warmUp(),
  ]);
}

/**
 * Resolves right after a short turn of the event loop, or after `QUIET_TURNS_MAX`. A long turn leaves
 * connections in the queue of the listening socket, and closing that resets them.
 */
async function untilQuiet(): Promise<void> {
  // The rest of this turn accepts nothing.
  await afterEvents();
  for (let turn = 0; turn < QUIET_TURNS_MAX; turn++) {
    const started = performance.now();
    await afterEvents();
    if (performance.now() - started < QUIET_TURN_MS) return;
  }
}

/** Throws what is no damage. */
function unlessDamaged(error: unknown): void {
  if (damageOf(error) === undefined) throw error;
}

async function stopDeps(running: Running, drainTimeoutMs: number): Promise<void> {
  const deadline = performance.now() + drainTimeoutMs;
  const warmUp = running.warmUp?.stop();
  const checked = running.stopCheckingFile?.();
  running.stopWatchingWal();
  running.stopCleaningUp();
  const billed = running.stopBilling();
  await untilQuiet();
  running.server.stopListening();
  running.operatorListener?.close();
  const alerted = running.operator.stop();
  running.dashboard.close();
  await running.oauth?.clients.close();
  await wait(ON_THEIR_WAY_MS);
  await Promise.all([
    running.deps.searchLimiter.drain(drainTimeoutMs),
    running.deps.webhookLimiter.drain(drainTimeoutMs),
  ]);
  // Background tasks may still write.
  await billed;
  await alerted;
  await running.accounts.background.drain();
  await running.deps.requests.flush();
  await running.accountStore.close(Math.max(0, deadline - performance.now()));
  running.server.close();
  running.monitoring?.close();
  running.metrics.close();
  await running.fallback?.close(Math.max(0, deadline - performance.now()));
  await warmUp;
  // The last connection to the file cleans up behind all of them.
  await checked;
  await running.pool.close();
  await running.verifyPool.close();
  await running.index.close();
  running.db.close();
  running.unlock();
}
