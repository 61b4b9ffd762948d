/** Kills a server under full load again and again. Nobody pays for a response that did not arrive. */
import { setTimeout as wait } from 'node:timers/promises';
import { createCustomer } from '../measure/accounts.ts';
import { createRandom } from '../measure/random.ts';
import { say } from '../measure/report.ts';
import { sumOf } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { type LoadReport, startLoad } from './load.ts';
import { auditDeaths, type Ordeal, type SectionReport } from './ordeal.ts';

const CLIENTS = 64;
/** A kill comes so long after the first response at most. */
const LOAD_MS_MAX = 1_500;
const WATCH = { intervalMs: 10 };
/** Clients end when the server dies. This is only for a server that does not. */
const LOAD_SECONDS_MAX = 60;

/** Each kill comes at a random time under load. The books are checked after the next start. */
export async function kills(ordeal: Ordeal): Promise<SectionReport> {
  const { seed, kills: count } = ordeal.options;
  const database = await ordeal.copyIndex('kills');
  const secrets = [createCustomer(database, 'kills')];
  const random = createRandom(`kills ${seed}`);
  const reports: LoadReport[] = [];
  for (let kill = 1; kill <= count; kill++) {
    let isServing = false;
    const { port, stop } = await ordeal.serve(database, {
      env: { VERBATIM_WARM_UP_SEARCHES: '0' },
      onLine: (line) => {
        isServing ||= line.includes('"path":"/v1/search"');
      },
    });
    const plan = { port, seconds: LOAD_SECONDS_MAX, secrets, clients: CLIENTS };
    const loading = startLoad({ ...plan, endsWithServer: true }, ordeal.loadCore);
    await until('a search ends', () => isServing, WATCH);
    await wait(random.below(LOAD_MS_MAX));
    await stop('SIGKILL');
    reports.push(await loading);
    say(`  kill ${kill} of ${count}`);
  }
  // A last start releases what the last kill left open.
  await (await ordeal.serve(database)).stop();
  const { served, charged, released, wrong } = auditDeaths(database, reports);
  const sent = sumOf(reports.flatMap(({ statuses }) => Object.values(statuses)));
  if (served === 0) wrong.push('no search was served, so the kills proved nothing');
  if (released === 0) wrong.push('no kill met a search in flight, so the kills proved nothing');
  return {
    rows: [
      { measure: 'kills under load', value: String(count) },
      { measure: 'searches sent, served', value: `${sent}, ${served}` },
      { measure: 'searches charged, released', value: `${charged}, ${released}` },
    ],
    wrong,
  };
}
