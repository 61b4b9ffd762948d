/** `verbatim serve`: puts the service together, and takes it apart again without losing anything. */
import { Command } from 'commander';
import type { Settings } from '../config.ts';
import { loadModel, type Model } from '../embed/model.ts';
import type { ServiceParts, ServiceState } from '../http/parts.ts';
import { createPlaces } from '../http/places.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { HttpServer } from '../http/server.ts';
import { createService } from '../http/service.ts';
import { createLog, type Log } from '../log.ts';
import { readBalance } from '../store/customers.ts';
import { assertModel, readTotals } from '../store/index-facts.ts';
import { createKeyReader } from '../store/keys.ts';
import { releaseOpenHolds } from '../store/ledger.ts';
import { openStore, type Store } from '../store/open.ts';
import { lockForServing } from '../store/process-lock.ts';
import { readUsage } from '../store/usage.ts';
import type { SearchRequest } from '../types.ts';
import { version } from '../version.ts';
import { createLedgerWriter, type LedgerWriter } from '../workers/ledger-worker.ts';
import type { Pool } from '../workers/pool.ts';
import { createSearchPool } from '../workers/search-worker.ts';
import {
  type CommonOptions,
  parseCount,
  settingsOf,
  storeOptions,
  withModelOptions,
} from './options.ts';

export interface ServeOptions extends CommonOptions {
  host?: string;
  port?: number;
}

export function serveCommand(): Command {
  return withServeOptions(new Command('serve'))
    .description('serve the HTTP API until SIGTERM or Ctrl-C')
    .action((options: ServeOptions) => serve(serveSettings(options)));
}

/** Adds the options of commands that serve. */
export function withServeOptions(command: Command): Command {
  return withModelOptions(command)
    .option('--host <address>', 'address to listen on (default: VERBATIM_HOST, else 0.0.0.0)')
    .option('--port <n>', 'port to listen on (default: VERBATIM_PORT, else 8080)', parseCount);
}

export function serveSettings(options: ServeOptions): Settings {
  return settingsOf(options, {
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
  });
}

/** Everything that has to be closed. */
interface Running {
  server: HttpServer;
  parts: ServiceParts;
  pool: Pool<SearchRequest, string>;
  ledger: LedgerWriter;
  db: Store;
  unlock: () => void;
}

/**
 * Serves until SIGTERM or SIGINT; resolves when all is closed. `onListening` gets the port, when
 * searches are answered. Throws `database_busy`, `model_mismatch` and the like before it listens.
 */
export async function serve(
  settings: Settings,
  onListening: (port: number) => void = () => {},
): Promise<void> {
  const log = createLog((line) => process.stderr.write(line));
  const model = loadModel(settings.model);
  const unlock = lockForServing(settings.database);
  const db = openStore(storeOptions(settings));
  assertModel(db, model);
  const released = releaseOpenHolds(db, Date.now());
  if (released > 0) log.info('released_holds_of_a_crash', { holds: released });

  let state: ServiceState = 'starting';
  const running = await startService({ settings, log, model, db, unlock, state: () => state });
  const stopped = untilStopSignal();
  try {
    await warmUp(running.pool, settings.searchThreads);
  } catch (error) {
    await stopService(running, settings.drainTimeoutMs);
    throw error;
  }
  state = 'ok';
  const { port } = running.server;
  log.info('serving', { host: settings.host, port, version, model: model.name });
  onListening(port);

  const signal = await stopped;
  state = 'stopping';
  log.info('stopping', { signal, in_flight: running.parts.places.inFlight() });
  await stopService(running, settings.drainTimeoutMs);
  log.info('stopped');
}

interface StartOptions {
  settings: Settings;
  log: Log;
  model: Model;
  db: Store;
  unlock: () => void;
  state: () => ServiceState;
}

async function startService(options: StartOptions): Promise<Running> {
  const { settings, log, model, db, unlock, state } = options;
  const store = storeOptions(settings);
  const ledger = createLedgerWriter({ store, ...settings });
  const pool = createSearchPool(
    { store, model: settings.model, limits: settings },
    { threads: settings.searchThreads, queueMax: settings.inFlightMax + settings.searchThreads },
  );
  const parts: ServiceParts = {
    ...{ settings, log, ledger, state, version, modelName: model.name, now: Date.now },
    keys: createKeyReader(db),
    rates: createRateLimiter(settings.rateBucketsMax),
    places: createPlaces(settings.inFlightMax),
    search: (request) => pool.run(request),
    balanceOf: (customerId) => readBalance(db, customerId),
    usageOf: (keyId, period) => readUsage(db, keyId, period),
    totals: () => readTotals(db),
  };
  // Loaded here and not above: no other command and no thread needs the web framework's binary.
  const { startServer } = await import('../http/server.ts');
  const { host, port, bodyTimeoutMs } = settings;
  const server = await startServer({ host, port, bodyTimeoutMs, handle: createService(parts) });
  return { server, parts, pool, ledger, db, unlock };
}

/** Loads the model in every thread: each takes one of as many searches. */
async function warmUp(pool: Running['pool'], threads: number): Promise<void> {
  const request: SearchRequest = { query: 'warm up', limit: 1, withAbstract: false };
  await Promise.all(Array.from({ length: threads }, () => pool.run(request)));
}

/** Lets searches in flight finish and their answers leave, then closes everything. */
async function stopService(running: Running, drainTimeoutMs: number): Promise<void> {
  running.server.stopListening();
  await running.parts.places.drain(drainTimeoutMs);
  await running.ledger.close();
  running.server.close();
  await running.pool.close();
  running.db.close();
  running.unlock();
}

function untilStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
}
