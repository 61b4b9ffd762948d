/** Searches of two servers with the same index: one client, and many. */
import { draw } from '../bench/queries.ts';
import { searchInParallel, searchOneByOne } from '../measure/clients.ts';
import { copyDatabase } from '../measure/databases.ts';
import { startServer } from '../measure/server.ts';
import { median, quantile } from '../measure/statistics.ts';
import { type Measured, type Places, type Scale, type Store, stores } from './calls.ts';
import { addAccounts } from './store-tasks.ts';

const WARM_UP = 60;
/** Queries to draw per second of load: more than can be answered. */
const QUERIES_PER_SECOND = 1000;

interface Seen {
  /** Of one client. */
  milliseconds: number[];
  rates: number[];
}

export async function measureSearches(places: Places, scale: Scale): Promise<Measured> {
  const { clients, seconds, rounds, seed } = scale;
  const load = seconds * QUERIES_PER_SECOND;
  const counts = { measured: load, warmUp: WARM_UP, load };
  const { queries } = await draw({ database: places.sqlite, seed, counts });
  const textsOf = (part: keyof typeof counts): string[] => queries[part].map(({ text }) => text);
  // Before the servers start: nobody else may write the file then.
  const secrets = { sqlite: await addKey(places.sqlite), postgres: await addKey(places.postgres) };
  const servers = await startServers(places);
  const measured: Measured = { figures: [], failures: [], charged: { sqlite: 0, postgres: 0 } };
  const seen: Record<Store, Seen> = {
    sqlite: { milliseconds: [], rates: [] },
    postgres: { milliseconds: [], rates: [] },
  };
  for (let round = 0; round < rounds; round++) {
    for (const store of stores) {
      const target = { port: servers[store].port, secret: secrets[store] };
      const warm = await searchOneByOne(target, textsOf('warmUp'));
      const deadline = performance.now() + seconds * 1_000;
      const goOn = (): boolean => performance.now() < deadline;
      const alone = await searchOneByOne(target, textsOf('measured'), goOn);
      const together = await searchInParallel(target, textsOf('load'), { clients, seconds });
      seen[store].milliseconds.push(...alone.milliseconds);
      seen[store].rates.push(together.rate);
      measured.charged[store] += warm.answered.length + alone.answered.length + together.answers;
      measured.failures.push(...warm.failures, ...alone.failures, ...together.failures);
    }
  }
  for (const store of stores) await servers[store].stop();
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
  await copyDatabase(sqlite, copy);
  return {
    sqlite: await startServer(sqlite),
    postgres: await startServer(copy, { env: { VERBATIM_ACCOUNTS: postgres } }),
  };
}

async function addKey(place: string): Promise<string> {
  const [account] = await addAccounts({ place, name: 'searches', count: 1 });
  return account?.secret ?? '';
}
