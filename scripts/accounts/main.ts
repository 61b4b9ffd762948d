/**
 * The same paid calls through the account store alone, in an SQLite file and on a PostgreSQL that this
 * starts, in turns: who calls, a hold, and its settlement.
 */
import { join } from 'node:path';
import { inStore } from '../measure/databases.ts';
import { count, type ValuesOf } from '../measure/options.ts';
import { createPostgresServer } from '../measure/postgres-server.ts';
import { ms, type Outcome } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { median, quantile, sumOf } from '../measure/statistics.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import {
  type AccountKey,
  addAccounts,
  auditAccounts,
  type Called,
  callAccounts,
} from './store-tasks.ts';

const options = {
  clients: count(32, 'clients of the closed loops', 4),
  customers: count(1000, 'customers when there are many', 10),
  seconds: count(5, 'length of each measurement', 1),
  rounds: count(3, 'times that each is measured', 1),
};

type Options = ValuesOf<typeof options>;

/** Processes start and warm up for as long. */
const WARM_UP_MS = 4_000;

interface Store {
  /** A file, or the address of a database. */
  place: string;
  /** A SQLite file has one server. */
  processes: number;
  accounts: AccountKey[];
}

export const measurement = defineMeasurement({
  options,
  notes: 'Needs PostgreSQL.',
  run: (values) => inTemporaryFolder('accounts', (folder) => compareStores(values, folder)),
});

async function compareStores(values: Options, folder: string): Promise<Outcome> {
  const sqlite = join(folder, 'verbatim.db');
  // Makes the file.
  inStore(sqlite, () => {});
  const server = await createPostgresServer('accounts', folder);
  server.initialize();
  await server.start();
  const stores: Store[] = [];
  for (const [at, place] of [sqlite, server.urlOf('postgres')].entries()) {
    const accounts = await addAccounts({ place, name: 'calls', count: values.customers });
    stores.push({ place, processes: at + 1, accounts });
  }
  const rows = [];
  const wrong: string[] = [];
  const charged = stores.map(() => 0);
  for (const customers of [1, values.customers]) {
    const rates = stores.map((): number[] => []);
    const times = stores.map((): number[] => []);
    for (let round = 1; round <= values.rounds; round++) {
      for (const [at, store] of stores.entries()) {
        const some = { ...store, accounts: store.accounts.slice(0, customers) };
        const parts = await callFromAll(some, values, round);
        rates[at]?.push(sumOf(parts.map(({ perSecond }) => perSecond)));
        times[at]?.push(...parts.flatMap(({ milliseconds }) => milliseconds));
        charged[at] = (charged[at] ?? 0) + sumOf(parts.map(({ calls }) => calls));
        wrong.push(...parts.flatMap(({ failures }) => failures));
      }
    }
    const who = `${values.clients} clients of ${customers === 1 ? 'one customer' : `${customers} customers`}`;
    const holdMs = times.map((milliseconds) => quantile(milliseconds, 0.5));
    rows.push([`${who}: calls/s`, ...rates.map((perSecond) => Math.round(median(perSecond)))]);
    rows.push([`${who}: admission and hold, p50`, ...holdMs.map(ms)]);
  }
  for (const [at, { place }] of stores.entries()) {
    wrong.push(...(await auditAccounts({ place, charged: charged[at] ?? 0 })));
  }
  await server.stop();
  return { report: { rows }, shown: [{ head: ['measure', 'SQLite', 'PostgreSQL'], rows }], wrong };
}

/** Calls from all processes of a store at the same time. */
function callFromAll(
  { place, processes, accounts }: Store,
  { clients, seconds }: Options,
  round: number,
): Promise<Called[]> {
  const startAt = Date.now() + WARM_UP_MS;
  const given = { place, accounts, clients: clients / processes, seconds, startAt };
  const seeds = Array.from({ length: processes }, (_, at) => `${round}-${at}`);
  return Promise.all(seeds.map((seed) => callAccounts({ ...given, seed })));
}
