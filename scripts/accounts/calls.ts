/** Paid calls through the account store alone: who calls, a hold, and its settlement. */
import { setTimeout as wait } from 'node:timers/promises';
import { median, quantile, sumOf } from '../measure/statistics.ts';
import { type AccountKey, addAccounts, type Called, callAccounts } from './store-tasks.ts';

export const stores = ['sqlite', 'postgres'] as const;
type Store = (typeof stores)[number];

export interface Places extends Record<Store, string> {
  /** A file. */
  sqlite: string;
  /** The address of a database. */
  postgres: string;
  /** The processor time of PostgreSQL so far, in milliseconds. */
  postgresMs(): number;
}

/** A row of the table. */
export interface Figures {
  label: string;
  unit: string;
  sqlite: number;
  postgres: number;
}

/** How much is measured. */
type Scale = Record<'clients' | 'customers' | 'seconds' | 'rounds', number>;

/** A SQLite file has one server. */
const PROCESSES: Record<Store, number> = { sqlite: 1, postgres: 2 };
/** Processes start and warm up for as long. */
const WARM_UP_MS = 4_000;

/** `databaseMs` is the processor time of PostgreSQL for each call. */
type CalledByAll = Called & { databaseMs: number };

/** Returns figures, failures, and the calls of each store that were charged. */
export async function measureCalls(places: Places, scale: Scale) {
  const add = (place: string) => addAccounts({ place, name: 'calls', count: scale.customers });
  const accounts = { sqlite: await add(places.sqlite), postgres: await add(places.postgres) };
  const charged: Record<Store, number> = { sqlite: 0, postgres: 0 };
  const [figures, failures]: [Figures[], string[]] = [[], []];
  for (const customers of [1, scale.customers]) {
    const all: Record<Store, CalledByAll[]> = { sqlite: [], postgres: [] };
    for (let round = 1; round <= scale.rounds; round++) {
      for (const store of stores) {
        const some = accounts[store].slice(0, customers);
        const called = await callFromAll(places, store, some, { ...scale, round });
        all[store].push(called);
        charged[store] += called.calls;
        failures.push(...called.failures);
      }
    }
    figures.push(...rowsOf(all, customers, scale.clients));
  }
  return { figures, failures, charged };
}

async function callFromAll(
  places: Places,
  store: Store,
  accounts: AccountKey[],
  { clients, seconds, round }: Scale & { round: number },
): Promise<CalledByAll> {
  const startAt = Date.now() + WARM_UP_MS;
  const before = wait(WARM_UP_MS).then(places.postgresMs);
  const processes = PROCESSES[store];
  const place = places[store];
  const given = { accounts, clients: clients / processes, seconds, startAt, place };
  const seeds = Array.from({ length: processes }, (_, at) => `${round}-${at}`);
  const parts = await Promise.all(seeds.map((seed) => callAccounts({ ...given, seed })));
  const milliseconds = parts.flatMap((part) => part.milliseconds);
  return {
    calls: sumOf(parts.map(({ calls }) => calls)),
    perSecond: sumOf(parts.map(({ perSecond }) => perSecond)),
    milliseconds,
    processorMs: sumOf(parts.map(({ processorMs }) => processorMs)) / processes,
    failures: parts.flatMap(({ failures }) => failures),
    databaseMs: (places.postgresMs() - (await before)) / milliseconds.length,
  };
}

function rowsOf(all: Record<Store, CalledByAll[]>, customers: number, clients: number): Figures[] {
  const who = `${clients} clients of ${customers === 1 ? 'one customer' : `${customers} customers`}`;
  const row = (label: string, unit: string, value: (called: CalledByAll[]) => number): Figures => {
    const [sqlite, postgres] = [value(all.sqlite), value(all.postgres)];
    return { label: `${who}: ${label}`, unit, sqlite, postgres };
  };
  const rate = (called: CalledByAll[]) => median(called.map(({ perSecond }) => perSecond));
  const timesOf = (called: CalledByAll[]) => called.flatMap(({ milliseconds }) => milliseconds);
  const processorMs = (called: CalledByAll[]) =>
    median(called.map((one) => one.processorMs + one.databaseMs));
  return [
    row('calls', '/s', rate),
    row('admission and hold, p50', 'ms', (called) => quantile(timesOf(called), 0.5)),
    row('processor time of a call', 'ms', processorMs),
  ];
}
