/** A running server on a copy of the sample index, with a customer and a key. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createKey as insertKey } from '../../src/accounts/sql/api-keys.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import { inStore } from './history.ts';
import { CHEAP_HASHES, withLimits } from './limits.ts';
import { runJson } from './verbatim.ts';

export const CUSTOMER = 'ada@example.org';

export interface Service {
  url: string;
  /** Where the metrics and the probes are. */
  metricsUrl: string;
  /** Where the pages of the operator are, if `VERBATIM_OPERATOR` is on. */
  operatorUrl: string;
  database: string;
  process: ChildProcess;
  /** All that was logged, one object a line. */
  log: Record<string, unknown>[];
  /** Ends the server with a signal; resolves to its exit code, null after SIGKILL. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A fresh folder with a copy of the sample index, or of another database; returns the copy's path. */
export async function copySampleIndex(original = inject('sampleIndex')): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-service-'));
  const database = join(folder, 'verbatim.db');
  await copyFile(original, database);
  return database;
}

/** Removes the folder of a database from `copySampleIndex`. */
export function removeDatabase(database: string): Promise<void> {
  return rm(join(database, '..'), { recursive: true, force: true });
}

export interface CreatedKey {
  prefix: string;
  secret: string;
}

/** Adds the customer with credits, and a key of theirs, as the command line would. */
export function createCustomer(
  database: string,
  { credits = 1000, email = CUSTOMER }: { credits?: number; email?: string } = {},
): CreatedKey {
  const now = Date.now();
  const caps = { requestsPerMinute: null, inFlightMax: null };
  return inStore(database, (db) => {
    const customerId = changeOnSqlite(db, addCustomer({ email, now })).id;
    if (credits > 0) changeOnSqlite(db, topUp({ customerId, credits, now }));
    const { key, secret } = changeOnSqlite(
      db,
      insertKey({ customerId, name: 'default', ...caps, now }),
    );
    return { prefix: key.prefix, secret };
  });
}

export function createKey(
  database: string,
  { email = CUSTOMER, options = [] }: { email?: string; options?: string[] } = {},
): Promise<CreatedKey> {
  return runJson(['key', 'create', email, ...options, '--db', database]);
}

/** Starts `verbatim serve` on any free port; resolves when /health answers 200. */
export async function startService(
  database: string,
  env: Record<string, string> = {},
  /** A program and its arguments that runs it, in a namespace for example. */
  through: readonly string[] = [],
  /** Options besides `--db`. */
  options: readonly string[] = [],
): Promise<Service> {
  const serve = [bundlePath(), 'serve', '--db', database, ...options];
  const command = [...through, process.execPath, ...serve];
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: {
      ...process.env,
      VERBATIM_HOST: '127.0.0.1',
      VERBATIM_PORT: '0',
      // A second thread loads the model a second time, for each of some hundred servers.
      VERBATIM_SEARCH_THREADS: '1',
      VERBATIM_LANE_THREADS: '1',
      // Many servers run at the same time.
      VERBATIM_METRICS_PORT: '0',
      VERBATIM_OPERATOR_PORT: '0',
      ...env,
      ...withLimits({ ...CHEAP_HASHES, ...JSON.parse(env['VERBATIM_TEST_LIMITS'] ?? '{}') }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log: Record<string, unknown>[] = [];
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const serving = await new Promise<Record<string, unknown>>((resolve, reject) => {
    let rest = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const entry = parseLine(line);
        log.push(entry);
        if (entry['event'] === 'serving') resolve(entry);
      }
    });
    void exited.then((code) => reject(new Error(`exited with ${code}: ${JSON.stringify(log)}`)));
  });
  return {
    url: `http://127.0.0.1:${serving['port']}`,
    metricsUrl: `http://127.0.0.1:${serving['metrics_port']}`,
    operatorUrl: `http://localhost:${serving['operator_port']}`,
    database,
    process: child,
    log,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

export interface SearchOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** POST /v1/search with a key. */
export function postSearch(
  url: string,
  secret: string,
  { body = { query: 'does sleep help memory' }, headers = {} }: SearchOptions = {},
): Promise<Response> {
  return fetch(`${url}/v1/search`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { text: line };
  }
}
