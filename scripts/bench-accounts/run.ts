/** Runs the benchmark: makes both places of the accounts, measures, and audits the ledgers. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { samplePath } from '../../src/bundle.ts';
import { VerbatimError } from '../../src/errors.ts';
import { describeMachine } from '../bench/machine.ts';
import { runTask, runVerbatim } from '../bench/processes.ts';
import { createPostgresServer } from '../cluster/postgres-server.ts';
import { familyMs } from '../ordeal/processor-time.ts';
import { measureCalls } from './measure-calls.ts';
import { measureSearches } from './measure-searches.ts';
import type { BenchAccountsOptions, Section } from './options.ts';
import type { Figures, Report } from './report.ts';

/** Where each kind of accounts is. */
export interface Places {
  /** A file with an index, which holds the accounts, too. */
  sqlite: string;
  /** The address of a database. */
  postgres: string;
  /** The processor time of PostgreSQL so far, in milliseconds. */
  postgresMs(): number;
}

export type Store = 'sqlite' | 'postgres';

export interface Measured {
  figures: Figures[];
  failures: string[];
  /** The calls of each store that were charged. */
  charged: Record<Store, number>;
}

const measures: Record<
  Section,
  (places: Places, options: BenchAccountsOptions) => Promise<Measured>
> = { calls: measureCalls, searches: measureSearches };

export async function runBench(options: BenchAccountsOptions, folder: string): Promise<Report> {
  const machine = describeMachine();
  const sqlite = await prepareIndex(options, folder);
  const server = await createPostgresServer('accounts', folder);
  server.initialize();
  await server.start();
  const postgres = `postgres://verbatim@127.0.0.1:${server.port}/postgres`;
  const places = { sqlite, postgres, postgresMs: () => familyMs(server.processIds()) };
  const [{ version = '' } = {}] = await server.database.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const all: Measured[] = [];
  for (const section of options.only) {
    process.stderr.write(`measuring ${section}\n`);
    all.push(await measures[section](places, options));
  }
  const wrong = all.flatMap(({ failures }) => failures);
  for (const store of ['sqlite', 'postgres'] as const) {
    const charged = all.reduce((sum, measured) => sum + measured.charged[store], 0);
    wrong.push(...(await audit(places[store], charged)));
  }
  await server.stop();
  return { machine, postgres: version, rows: all.flatMap(({ figures }) => figures), wrong };
}

async function prepareIndex({ db }: BenchAccountsOptions, folder: string): Promise<string> {
  const path = join(folder, 'index.db');
  if (db === undefined) {
    await runVerbatim(['index', 'add', samplePath(), '--db', path]);
    return path;
  }
  const from = resolve(db);
  if (!existsSync(from)) throw new VerbatimError('usage', `there is no database at ${from}`);
  await runTask('copy', { from, to: path });
  return path;
}

async function audit(place: string, charged: number): Promise<string[]> {
  const { debited, held, differences } = await runTask('auditAccounts', { place });
  const of = `of ${place.split('://')[0]}`;
  return [
    ...differences.map((difference) => `the ledger ${of}: ${difference}`),
    ...(debited === charged ? [] : [`${charged} calls ${of}, and ${debited} debits`]),
    ...(held === 0 ? [] : [`${held} credits ${of} are still held`]),
  ];
}
