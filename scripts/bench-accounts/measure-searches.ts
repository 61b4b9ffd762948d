/** Searches of two servers with the same index: one client, and many. */
import { searchInParallel, searchOneByOne } from '../bench/clients.ts';
import { runTask } from '../bench/processes.ts';
import { startServer } from '../bench/server.ts';
import { median, quantile } from '../bench/statistics.ts';
import type { BenchAccountsOptions } from './options.ts';
import type { Measured, Places, Store } from './run.ts';

const WARM_UP = 60;
/** Queries to draw per second of load: more than can be answered. */
const QUERIES_PER_SECOND = 1000;
const STORES = ['sqlite', 'postgres'] as const;

interface Seen {
  /** Of one client. */
  milliseconds: number[];
  rates: number[];
}

export async function measureSearches(
  places: Places,
  options: BenchAccountsOptions,
): Promise<Measured> {
  const { clients, seconds, rounds, seed } = options;
  const load = seconds * QUERIES_PER_SECOND;
  const counts = { measured: load, warmUp: WARM_UP, load, adding: 0 };
  const { queries } = await runTask('draw', { database: places.sqlite, seed, counts });
  const [warmUp, one, many] = (['warmUp', 'measured', 'load'] as const).map((part) =>
    queries[part].map(({ text }) => text),
  ) as [string[], string[], string[]];
  // Before the servers start: nobody else may write the file then.
  const secrets = { sqlite: await addKey(places.sqlite), postgres: await addKey(places.postgres) };
  const servers = await startServers(places);
  const measured: Measured = { figures: [], failures: [], charged: { sqlite: 0, postgres: 0 } };
  const seen: Record<Store, Seen> = {
    sqlite: { milliseconds: [], rates: [] },
    postgres: { milliseconds: [], rates: [] },
  };
  for (let round = 0; round < rounds; round++) {
    for (const store of STORES) {
      const target = { port: servers[store].port, secret: secrets[store] };
      const warm = await searchOneByOne(target, warmUp);
      const deadline = performance.now() + seconds * 1_000;
      const alone = await searchOneByOne(target, one, () => performance.now() < deadline);
      const together = await searchInParallel(target, many, { clients, seconds });
      seen[store].milliseconds.push(...alone.milliseconds);
      seen[store].rates.push(together.rate);
      measured.charged[store] += warm.answered.length + alone.answered.length + together.answers;
      measured.failures.push(...warm.failures, ...alone.failures, ...together.failures);
    }
  }
  for (const store of STORES) await servers[store].stop();
  const row = (label: string, unit: string, value: (seen: Seen) => number): void => {
    const [sqlite, postgres] = [value(seen.sqlite), value(seen.postgres)];
    measured.figures.push({ label, unit, sqlite, postgres });
  };
  row('searches, one client, p50', 'ms', ({ milliseconds }) => quantile(milliseconds, 0.5));
  row('searches, one client, p99', 'ms', ({ milliseconds }) => quantile(milliseconds, 0.99));
  row(`searches, ${clients} clients`, '/s', ({ rates }) => median(rates));
  return measured;
}

/** The servers are idle in turns. The one with PostgreSQL needs a file of its own for the index. */
async function startServers({ sqlite, postgres }: Places) {
  const copy = `${sqlite}.copy`;
  await runTask('copy', { from: sqlite, to: copy });
  return {
    sqlite: await startServer(sqlite),
    postgres: await startServer(copy, { env: { VERBATIM_ACCOUNTS: postgres } }),
  };
}

async function addKey(place: string): Promise<string> {
  const [account] = await runTask('addAccounts', { place, name: 'searches', count: 1 });
  return account?.secret ?? '';
}
