/**
 * Restarts a server while clients search all the time: directly, and behind the proxies that `verbatim init`
 * sets up. Says how many connections were refused, and how long searches waited.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isInstalled, type ProxyPlace, proxyNames, startProxy } from '../test/support/proxy.ts';
import { createCustomer } from './measure/accounts.ts';
import { prepareIndex } from './measure/databases.ts';
import { freePort } from './measure/free-port.ts';
import { count, text } from './measure/options.ts';
import type { Outcome } from './measure/report.ts';
import { defineMeasurement } from './measure/run.ts';
import { sampleTitles } from './measure/sample.ts';
import { healthOf, type Server, startServer } from './measure/server.ts';
import { inTemporaryFolder } from './measure/temporary-folder.ts';
import { until } from './measure/until.ts';

/** How long the clients search before the restart, and after it. */
const AROUND_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 10;

const options = {
  db: text('the index; the sample by default', 'file'),
  clients: count(8, 'clients that search all the time', 2),
};

export const measurement = defineMeasurement({
  options,
  notes: `A proxy that is not installed is left out. Exits 1 if one refuses a search, which nginx does if a restart
takes longer than 3 s, as on a busy machine.`,
  run: ({ db, clients }) =>
    inTemporaryFolder('restarts', async (folder) => {
      const database = `${folder}/verbatim.db`;
      await prepareIndex(db, database);
      const secret = createCustomer(database, 'load');
      const found: Restarted[] = [];
      for (const name of [undefined, ...proxyNames.filter(isInstalled)]) {
        found.push(await restart(name, { folder, database, secret, clients }));
      }
      return outcomeOf(found);
    }),
});

interface Restarted {
  behind: string;
  served: number;
  refused: number;
  /** What the refused got; 0 if the connection broke. */
  statuses: number[];
  /** Of a search that was served. */
  longestWaitMs: number;
  /** Between two searches that were served. */
  longestGapMs: number;
}

interface Load {
  folder: string;
  database: string;
  secret: string;
  clients: number;
}

async function restart(
  name: (typeof proxyNames)[number] | undefined,
  { folder, database, secret, clients }: Load,
): Promise<Restarted> {
  const place: ProxyPlace = {
    folder,
    port: await freePort(),
    servicePort: await freePort(),
    probePort: await freePort(),
  };
  const start = (): Promise<Server> =>
    startServer(database, {
      port: place.servicePort,
      isWarmAwaited: false,
      env: { VERBATIM_METRICS_PORT: String(place.probePort), VERBATIM_PROXIES_TRUSTED: '1' },
    });
  let server = await start();
  const proxy = name && startProxy(name, place);
  try {
    const port = name ? place.port : place.servicePort;
    await until('the proxy answers', async () => {
      return (await healthOf(`http://127.0.0.1:${port}`)).status === 200;
    });
    const counted = { served: 0, refused: 0, statuses: [], longestWaitMs: 0, longestGapMs: 0 };
    const load = searchAllTheTime({ port, secret, clients }, counted);
    await sleep(AROUND_MS);
    await server.stop();
    server = await start();
    await sleep(AROUND_MS);
    await load.stop();
    return { behind: name ?? 'nothing', ...counted };
  } finally {
    proxy?.kill();
    await server.stop();
  }
}

/** Each client sends its next search after the answer to the one before. Counts until it is stopped. */
function searchAllTheTime(
  { port, secret, clients }: { port: number; secret: string; clients: number },
  counted: Omit<Restarted, 'behind'>,
): { stop(): Promise<unknown> } {
  const titles = sampleTitles();
  let [asked, isOver, lastServed] = [0, false, performance.now()];
  const search = async (): Promise<void> => {
    while (!isOver) {
      const sentAt = performance.now();
      const status = await statusOf(port, secret, titles[asked++ % titles.length] ?? '');
      if (status === 200) {
        counted.served++;
        counted.longestWaitMs = Math.max(counted.longestWaitMs, performance.now() - sentAt);
        counted.longestGapMs = Math.max(counted.longestGapMs, performance.now() - lastServed);
        lastServed = performance.now();
      } else {
        counted.refused++;
        if (!counted.statuses.includes(status)) counted.statuses.push(status);
        await sleep(PAUSE_AFTER_FAILURE_MS);
      }
    }
  };
  const all = Promise.all(Array.from({ length: clients }, search));
  return {
    stop() {
      isOver = true;
      return all;
    },
  };
}

/** Returns the status of a search that was answered completely; 0 if the connection broke. */
async function statusOf(port: number, secret: string, query: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ query }) };
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/search`, request);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

function outcomeOf(found: readonly Restarted[]): Outcome {
  const rows = found.map(({ behind, served, refused, statuses, longestWaitMs, longestGapMs }) => [
    ...[behind, served, refused, statuses.join(', ')],
    ...[longestWaitMs, longestGapMs].map((one) => `${(one / 1000).toFixed(1)} s`),
  ]);
  return {
    report: { restarts: found },
    shown: [{ head: ['behind', 'served', 'refused', 'with', 'longest wait', 'longest gap'], rows }],
    wrong: found
      .filter(({ behind, refused }) => behind !== 'nothing' && refused > 0)
      .map(({ behind, refused }) => `${behind} refused ${refused} searches`),
  };
}
