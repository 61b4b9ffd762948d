/**
 * Puts the program in dist/ under overload, kills it, and takes its disk and its clock away.
 * Server and clients are processes of their own, pinned to a core each.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCustomer } from '../measure/accounts.ts';
import { copyDatabase, prepareIndex } from '../measure/databases.ts';
import { type Outcome, say, tableOf } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { startServer } from '../measure/server.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { faults } from './faults.ts';
import { kills } from './kills.ts';
import { findCores, type Ordeal, options } from './ordeal.ts';
import { overload } from './overload.ts';

const sections = { overload, kills, faults };

export const measurement = defineMeasurement({
  options,
  notes:
    'Exits 1 if a bound is missed, a client is charged for nothing, or the ledger does not add up.',
  run: (values) => inTemporaryFolder('ordeal', (folder) => undergo(values, folder)),
});

async function undergo(values: Ordeal['options'], folder: string): Promise<Outcome> {
  const cores = findCores();
  const index = join(folder, 'index.db');
  await prepareIndex(values.db, index);
  const ordeal: Ordeal = {
    options: values,
    loadCore: cores.load,
    async copyIndex(name) {
      mkdirSync(join(folder, name));
      const to = join(folder, name, 'verbatim.db');
      await copyDatabase(index, to);
      return to;
    },
    serve: (database, given = {}) => startServer(database, { ...given, through: cores.server }),
    async start(name, given) {
      const database = await ordeal.copyIndex(name);
      const secret = createCustomer(database, name);
      return { database, secret, server: await ordeal.serve(database, given) };
    },
  };
  const reports = [];
  for (const name of values.only) {
    say(`${name} …`);
    reports.push({ name, ...(await sections[name](ordeal)) });
  }
  return {
    report: { cores: cores.text, sections: reports.map(({ name, rows }) => ({ name, rows })) },
    shown: [`pinned: ${cores.text}`, ...reports.map(({ name, rows }) => tableOf(name, rows))],
    wrong: reports.flatMap(({ name, wrong }) => wrong.map((sentence) => `${name}: ${sentence}`)),
    isMissed: reports.some(({ rows }) => rows.some(({ isMet }) => isMet === false)),
  };
}
