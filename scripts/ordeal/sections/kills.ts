/** Kills a server under full load again and again. Nobody pays for a response that did not arrive. */
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../bench/random.ts';
import { sampleTitles } from '../../bench/sample-titles.ts';
import { startServer } from '../../bench/server.ts';
import { createCustomer, readBooks, UNLIMITED } from '../accounts.ts';
import { startLoad } from '../load/processes.ts';
import type { Ordeal, SectionReport } from '../section.ts';

const CLIENTS = 64;
/** A kill comes so long after the first response at most. */
const LOAD_MS_MAX = 1_500;
const WATCH_INTERVAL_MS = 10;
/** Clients end when the server dies. This is only for a server that does not. */
const LOAD_SECONDS_MAX = 60;

/** Each kill comes at a random time under load. The books are checked after the next start. */
export async function kills({ options, cores, say, copyIndex }: Ordeal): Promise<SectionReport> {
  const database = await copyIndex('kills');
  const secret = createCustomer(database, 'kills', UNLIMITED);
  const random = createRandom(`kills ${options.seed}`);
  const served = new Set<string>();
  const wrong: string[] = [];
  let sent = 0;
  let released = 0;
  let charged: string[] = [];
  for (let kill = 1; kill <= options.kills; kill++) {
    let isServing = false;
    const server = await startServer(database, {
      through: cores.server,
      env: { VERBATIM_WARM_UP_SEARCHES: '0' },
      onLine: (line) => {
        isServing ||= line.includes('"path":"/v1/search"');
      },
    });
    const plan = { port: server.port, seconds: LOAD_SECONDS_MAX, titles: sampleTitles() };
    const group = { name: 'kills', secrets: [secret], clients: CLIENTS };
    const loading = startLoad({ ...plan, groups: [group], endsWithServer: true }, cores.load);
    while (!isServing) await wait(WATCH_INTERVAL_MS);
    await wait(random.below(LOAD_MS_MAX));
    await server.stop('SIGKILL');
    const report = (await loading)['kills'];
    for (const id of report?.requestIds ?? []) served.add(id);
    sent += Object.values(report?.statuses ?? {}).reduce((sum, count) => sum + count, 0);
    say(`  kill ${kill} of ${options.kills}: ${served.size} searches served so far`);
  }
  // A last start releases what the last kill left open.
  await (await startServer(database, { through: cores.server })).stop();
  const books = readBooks(database);
  ({ charged, released } = books);
  const unjust = charged.filter((id) => !served.has(id));
  wrong.push(...books.wrong);
  if (unjust.length > 0) wrong.push(`${unjust.length} searches were charged without a response`);
  if (served.size === 0) wrong.push('no search was served, so the kills proved nothing');
  if (released === 0) wrong.push('no kill met a search in flight, so the kills proved nothing');
  return {
    rows: [
      { measure: 'kills under load', value: String(options.kills) },
      { measure: 'searches sent, served', value: `${sent}, ${served.size}` },
      { measure: 'searches charged, released', value: `${charged.length}, ${released}` },
    ],
    wrong,
  };
}
