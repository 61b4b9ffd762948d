/** `verbatim serve`: runs the service until a signal ends it. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { datesFault, readTlsIdentity, tlsFilesOf } from '../http/tls-identity.ts';
import type { Settings } from '../settings/config.ts';
import { version } from '../settings/version.ts';
import {
  type CommonOptions,
  parsePort,
  settingsOf,
  storeOptions,
  withModelOptions,
} from './cli/options.ts';
import { openLog } from './cli/terminal-log.ts';
import { type HangUps, listenForHangUps } from './hang-up.ts';
import { surviveDefects } from './survive-defects.ts';

export interface ServeOptions extends CommonOptions {
  host?: string;
  port?: number;
  learn?: boolean;
  readOnlyIndex?: string;
  allowExpired?: boolean;
}

export function serveCommand(): Command {
  return withServeOptions(new Command('serve'))
    .description('serve the HTTP API until SIGTERM or Ctrl-C')
    .action((options: ServeOptions) => serve(settingsToServe(options), options));
}

/** Adds the options of `serve` and `start`. */
export function withServeOptions(command: Command): Command {
  return withModelOptions(command)
    .option('--host <address>', 'address to listen on (default: VERBATIM_HOST, else 0.0.0.0)')
    .option('--port <n>', 'port to listen on (default: VERBATIM_PORT, else 8080)', parsePort)
    .option(
      '--read-only-index <folder>',
      'search the newest copy in this folder (default: VERBATIM_READ_ONLY_INDEX, else the database)',
    )
    .option('--allow-expired', 'serve even with a certificate that clients refuse by its dates')
    .option('--learn', 'add the results of fallback lanes to the index if their terms allow it');
}

/** The settings that the options of `serve` set. */
export function serveOverrides({
  host,
  port,
  learn,
  readOnlyIndex,
}: ServeOptions): Partial<Settings> {
  return {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(learn ? { learn } : {}),
    ...(readOnlyIndex === undefined ? {} : { readOnlyIndex }),
  };
}

export function serveSettings(options: ServeOptions): Settings {
  return settingsOf(options, serveOverrides(options));
}

/**
 * The settings of a server that starts now. Throws `usage` for a certificate that is defective, or that
 * clients refuse by its dates, before anything is created.
 */
export function settingsToServe(options: ServeOptions): Settings {
  const settings = serveSettings(options);
  const files = tlsFilesOf(settings);
  const fault = files && datesFault(readTlsIdentity(files), Date.now());
  if (fault === undefined || options.allowExpired) return settings;
  throw new VerbatimError('usage', `${fault}; renew it, or use --allow-expired`);
}

/**
 * Serves until SIGTERM or SIGINT. Resolves when everything is closed. `onListening` receives the
 * port when the service is ready. Throws `database_busy`, `model_mismatch` and similar errors
 * before it listens.
 */
export async function serve(
  settings: Settings,
  { config }: Pick<ServeOptions, 'config'>,
  onListening: (port: number) => void = () => {},
): Promise<void> {
  const log = openLog(settings);
  const hangUps = listenForHangUps();
  const stopped = untilStopSignal(hangUps);
  // Loaded here, because no other command needs pages, requests, payments and pools.
  const { startService } = await import('./service.ts');
  const { openLanes } = await import('../lanes/open-lanes.ts');
  const service = await startService({
    settings,
    config,
    log,
    openLanes: (damage) => openLanes(settings, storeOptions(settings), log, damage),
  });
  surviveDefects(log);
  const { port, metricsPort, operatorPort, modelName } = service;
  const { host } = settings;
  const beside = { metrics_port: metricsPort, operator_port: operatorPort };
  log.info('serving', { host, port, version, model: modelName, ...beside });
  onListening(port);
  hangUps.onReload(service.reload);
  const signal = await stopped;
  log.info('stopping', { signal, in_flight: service.inFlight() });
  await service.stop();
  log.info('stopped');
  hangUps.close();
  // Ends the process: at an ordinary exit, Node would fail to reset the lost terminal and abort.
  if (signal === 'SIGHUP') process.kill(process.pid, signal);
}

function untilStopSignal(hangUps: HangUps): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
    hangUps.onTerminalGone(() => resolve('SIGHUP'));
  });
}
