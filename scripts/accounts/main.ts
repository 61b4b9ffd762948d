/**
 * The same paid calls and searches with the accounts in the SQLite file and on a PostgreSQL that this
 * starts, in turns. A missed bound is no failure, because figures depend on the machine.
 */
import { join } from 'node:path';
import type { Cell } from '../../src/commands/cli/output.ts';
import { prepareIndex } from '../measure/databases.ts';
import { count, some, text, type ValuesOf } from '../measure/options.ts';
import { createPostgresServer } from '../measure/postgres-server.ts';
import { familyMs } from '../measure/processor-time.ts';
import { type Outcome, say } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { sumOf } from '../measure/statistics.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type Figures, type Measured, measureCalls, type Places, stores } from './calls.ts';
import { measureSearches } from './searches.ts';
import { auditAccounts } from './store-tasks.ts';

const measures = { calls: measureCalls, searches: measureSearches };

const options = {
  db: text('the index to search; it is copied (default: the sample)'),
  only: some(['calls', 'searches']),
  clients: count(32, 'clients of the closed loops', 4),
  customers: count(1000, 'customers when there are many', 10),
  seconds: count(5, 'length of each measurement', 1),
  rounds: count(3, 'times that each is measured', 1),
  seed: count(1, 'draws other customers and queries'),
};

export const measurement = defineMeasurement({
  options,
  notes: 'Needs PostgreSQL.',
  run: (values) => inTemporaryFolder('accounts', (folder) => compareStores(values, folder)),
});

async function compareStores(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const sqlite = join(folder, 'index.db');
  await prepareIndex(values.db, sqlite);
  const server = await createPostgresServer('accounts', folder);
  server.initialize();
  await server.start();
  const postgresMs = (): number => familyMs(server.processIds());
  const places: Places = { sqlite, postgres: server.urlOf('postgres'), postgresMs };
  const [{ version = '' } = {}] = await server.database.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const all: Measured[] = [];
  for (const section of values.only) {
    say(`measuring ${section}`);
    all.push(await measures[section](places, values));
  }
  const wrong = all.flatMap(({ failures }) => failures);
  for (const store of stores) {
    const charged = sumOf(all.map((measured) => measured.charged[store]));
    wrong.push(...(await auditAccounts({ place: places[store], charged })));
  }
  await server.stop();
  const rows = all.flatMap(({ figures }) => figures);
  const head = ['measure', 'SQLite', 'PostgreSQL', 'ratio'];
  const shown = [`PostgreSQL ${version}`, { head, rows: rows.map(cellsOf) }];
  return { report: { postgres: version, rows }, shown, wrong };
}

function cellsOf({ label, unit, sqlite, postgres }: Figures): Cell[] {
  const of = (value: number): string => `${short(value)} ${unit}`;
  if (sqlite === undefined) return [label, '', of(postgres), ''];
  return [label, of(sqlite), of(postgres), (postgres / sqlite).toFixed(2)];
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
