/** Paid calls through the account store alone: who calls, a hold, and its settlement. */
import { setTimeout as wait } from 'node:timers/promises';
import { runTask } from '../bench/processes.ts';
import { median, quantile } from '../bench/statistics.ts';
import type { AccountKey } from '../bench/tasks/add-accounts.ts';
import type { Called } from '../bench/tasks/call-accounts.ts';
import type { BenchAccountsOptions } from './options.ts';
import type { Figures } from './report.ts';
import type { Measured, Places, Store } from './run.ts';

/** A SQLite file has one server. */
const PROCESSES: Record<Store, number> = { sqlite: 1, postgres: 2 };
/** Processes start and warm up for as long. */
const WARM_UP_MS = 4_000;
const STORES = ['sqlite', 'postgres'] as const;

interface CalledByAll extends Called {
  /** The processor time of PostgreSQL for each call. */
  databaseMs: number;
}

export async function measureCalls(
  places: Places,
  options: BenchAccountsOptions,
): Promise<Measured> {
  const accounts = {
    sqlite: await addAccounts(places.sqlite, options),
    postgres: await addAccounts(places.postgres, options),
  };
  const measured: Measured = { figures: [], failures: [], charged: { sqlite: 0, postgres: 0 } };
  for (const customers of [1, options.customers]) {
    const all: Record<Store, CalledByAll[]> = { sqlite: [], postgres: [] };
    for (let round = 1; round <= options.rounds; round++) {
      for (const store of STORES) {
        const some = accounts[store].slice(0, customers);
        const called = await callFromAll(places, store, some, { ...options, seed: round });
        all[store].push(called);
        measured.charged[store] += called.calls;
        measured.failures.push(...called.failures);
      }
    }
    measured.figures.push(...rowsOf(all, { customers, clients: options.clients }));
  }
  return measured;
}

function addAccounts(place: string, { customers }: BenchAccountsOptions): Promise<AccountKey[]> {
  return runTask('addAccounts', { place, name: 'calls', count: customers });
}

async function callFromAll(
  places: Places,
  store: Store,
  accounts: AccountKey[],
  { clients, seconds, seed }: BenchAccountsOptions,
): Promise<CalledByAll> {
  const startAt = Date.now() + WARM_UP_MS;
  const before = wait(WARM_UP_MS).then(places.postgresMs);
  const processes = PROCESSES[store];
  const parts = await Promise.all(
    Array.from({ length: processes }, (_, number) => {
      const given = { accounts, clients: clients / processes, seconds, startAt };
      return runTask('callAccounts', { ...given, place: places[store], seed: `${seed}-${number}` });
    }),
  );
  const sum = (value: (called: Called) => number): number =>
    parts.reduce((total, called) => total + value(called), 0);
  const timed = sum((called) => called.milliseconds.length);
  return {
    calls: sum(({ calls }) => calls),
    perSecond: sum(({ perSecond }) => perSecond),
    milliseconds: parts.flatMap(({ milliseconds }) => milliseconds),
    processorMs: sum((called) => called.processorMs) / processes,
    failures: parts.flatMap(({ failures }) => failures),
    databaseMs: (places.postgresMs() - (await before)) / timed,
  };
}

function rowsOf(
  all: Record<Store, CalledByAll[]>,
  { customers, clients }: { customers: number; clients: number },
): Figures[] {
  const who = `${clients} clients of ${customers === 1 ? 'one customer' : `${customers} customers`}`;
  const row = (label: string, unit: string, value: (called: CalledByAll[]) => number): Figures => ({
    label: `${who}: ${label}`,
    unit,
    sqlite: value(all.sqlite),
    postgres: value(all.postgres),
  });
  const timeOf = (share: number) => (called: CalledByAll[]) =>
    quantile(
      called.flatMap(({ milliseconds }) => milliseconds),
      share,
    );
  return [
    row('calls', '/s', (called) => median(called.map(({ perSecond }) => perSecond))),
    row('admission and hold, p50', 'ms', timeOf(0.5)),
    row('admission and hold, p99', 'ms', timeOf(0.99)),
    row('processor time of a call', 'ms', (called) =>
      median(called.map(({ processorMs, databaseMs }) => processorMs + databaseMs)),
    ),
    {
      label: `${who}: of that, in PostgreSQL`,
      unit: 'ms',
      postgres: median(all.postgres.map(({ databaseMs }) => databaseMs)),
    },
  ];
}
