/** The whole service in this process, with fake lanes and real sockets, threads, and database. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { startService } from '../../src/commands/service.ts';
import type { Lanes } from '../../src/lanes/lane/lane.ts';
import { createLog } from '../../src/log.ts';
import { readSettings, type Settings } from '../../src/settings/config.ts';
import type { LaneName } from '../../src/settings/lane-choice.ts';
import { addAccount, type Caller } from '../http/contract.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { fakeLanes } from './fake-lanes.ts';

export const CREDITS = 20;

export interface Running extends Caller {
  /** Where the metrics and the probes are. */
  metricsUrl: string;
  database: string;
  /** The customer's address. */
  email: string;
  /** The log so far, one object for each line. */
  log: Record<string, unknown>[];
  /** Stops the service. May be called again. */
  stop(): Promise<void>;
}

/** Serves a copy of the sample index to a customer with credits, until the end of the test. */
export async function serveWith(
  lanes: Lanes | undefined,
  overrides: Partial<Settings> = {},
): Promise<Running> {
  const running = await start(lanes, overrides);
  onTestFinished(async () => {
    await running.stop();
    await removeDatabase(running.database);
  });
  return running;
}

/**
 * One service for all tests of a `describe`, with lanes of these names. The function that it returns
 * gives each test its own lanes, which close with the test, and its own customer and log.
 */
export function useServiceWithLanes(
  overrides: Partial<Settings> = {},
  names: readonly LaneName[] = fakeLanes().names,
): (lanes: Lanes) => Omit<Running, 'stop'> {
  let running: Running;
  let current: Lanes;
  let customers = 0;
  const lanes: Lanes = {
    names,
    ask: (query, deadline, options) => current.ask(query, deadline, options),
    lookUp: (reference, options) => current.lookUp(reference, options),
    // Late documents belong to no test.
    onLateDocuments: () => {},
    states: () => current.states(),
    close: async () => {},
  };
  beforeAll(async () => {
    running = await start(lanes, overrides);
  });
  afterAll(async () => {
    await running.stop();
    await removeDatabase(running.database);
  });
  return (own) => {
    current = own;
    onTestFinished(() => own.close());
    const email = `customer-${++customers}@example.org`;
    const { secret } = addAccount(running, { email, credits: CREDITS });
    const { url, metricsUrl, database, log } = running;
    const from = log.length;
    return {
      url,
      metricsUrl,
      database,
      email,
      secret,
      get log() {
        return log.slice(from);
      },
    };
  };
}

async function start(lanes: Lanes | undefined, overrides: Partial<Settings>): Promise<Running> {
  const database = overrides.database ?? (await copySampleIndex());
  const email = 'ada@example.org';
  const { secret } = addAccount({ url: '', database }, { email, credits: CREDITS });
  const log: Running['log'] = [];
  const settings = readSettings(
    {
      host: '127.0.0.1',
      port: 0,
      metricsPort: 0,
      searchThreads: 1,
      // Each thread loads the model, and warming up keeps both cores busy for seconds.
      laneThreads: 1,
      warmUpSearches: 0,
      database,
      ...overrides,
    },
    {},
  );
  const service = await startService({
    settings,
    openLanes: async () => lanes,
    log: createLog((line) => log.push(JSON.parse(line))),
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= service.stop();
    return stopping;
  };
  return {
    url: `http://127.0.0.1:${service.port}`,
    metricsUrl: `http://127.0.0.1:${service.metricsPort}`,
    secret,
    database,
    email,
    log,
    stop,
  };
}
