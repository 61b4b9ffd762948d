/**
 * The same paid calls with the accounts in an SQLite file and on a PostgreSQL that this starts, in turns.
 */
import { join } from 'node:path';
import type { Cell } from '../../src/commands/cli/output.ts';
import { inStore } from '../measure/databases.ts';
import { count, type ValuesOf } from '../measure/options.ts';
import { createPostgresServer } from '../measure/postgres-server.ts';
import { familyMs } from '../measure/processor-time.ts';
import type { Outcome } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type Figures, measureCalls, type Places, stores } from './calls.ts';
import { auditAccounts } from './store-tasks.ts';

const options = {
  clients: count(32, 'clients of the closed loops', 4),
  customers: count(1000, 'customers when there are many', 10),
  seconds: count(5, 'length of each measurement', 1),
  rounds: count(3, 'times that each is measured', 1),
};

export const measurement = defineMeasurement({
  options,
  notes: 'Needs PostgreSQL.',
  run: (values) => inTemporaryFolder('accounts', (folder) => compareStores(values, folder)),
});

async function compareStores(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const sqlite = join(folder, 'verbatim.db');
  // Makes the file.
  inStore(sqlite, () => {});
  const server = await createPostgresServer('accounts', folder);
  server.initialize();
  await server.start();
  const postgresMs = (): number => familyMs(server.processIds());
  const places: Places = { sqlite, postgres: server.urlOf('postgres'), postgresMs };
  const [{ version = '' } = {}] = await server.database.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const { figures: rows, charged, failures: wrong } = await measureCalls(places, values);
  for (const store of stores) {
    wrong.push(...(await auditAccounts({ place: places[store], charged: charged[store] })));
  }
  await server.stop();
  const head = ['measure', 'SQLite', 'PostgreSQL', 'ratio'];
  const shown = [`PostgreSQL ${version}`, { head, rows: rows.map(cellsOf) }];
  return { report: { postgres: version, rows }, shown, wrong };
}

function cellsOf({ label, unit, sqlite, postgres }: Figures): Cell[] {
  const of = (value: number): string => `${short(value)} ${unit}`;
  return [label, of(sqlite), of(postgres), (postgres / sqlite).toFixed(2)];
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
