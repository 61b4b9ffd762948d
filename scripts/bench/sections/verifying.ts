/** Measures calls that verify printed references, and the searches of many clients beside them. */
import { createClient, postRequest, searchInParallel } from '../../measure/clients.ts';
import { startServer } from '../../measure/server.ts';
import { median, quantile } from '../../measure/statistics.ts';
import { type Bench, textsOf } from '../bench.ts';
import type { Figures } from '../rows.ts';

const CLIENTS = 16;
const REFERENCES = 100;

/** The clients search alone, beside the calls, and alone again. */
export async function measureVerifying(bench: Bench): Promise<Figures> {
  const { copy, secret, options } = bench;
  const server = await startServer(copy);
  const target = { port: server.port, secret };
  const queries = textsOf(bench, 'load');
  const search = async (part: number): Promise<number[]> => {
    const own = queries.filter((_, at) => at % 3 === part);
    const { seconds } = options;
    const load = await searchInParallel(target, own, { clients: CLIENTS, seconds });
    bench.failures.push(...load.failures);
    return load.milliseconds;
  };
  const items = referencesOf(bench).map((reference) => ({ reference }));
  const request = postRequest('/v1/verify', { items }, target);
  const client = createClient(server.port);
  const calls: number[] = [];
  const before = await search(0);
  let isSearching = true;
  const searching = search(1).finally(() => {
    isSearching = false;
  });
  while (isSearching) {
    const { status, head, milliseconds } = await client.send(request);
    if (status !== 200) bench.failures.push(`references were answered with ${status}: ${head}`);
    calls.push(milliseconds);
  }
  const during = await searching;
  const alone = [...before, ...(await search(2))];
  client.close();
  await server.stop();
  return {
    verifying: median(calls),
    verifyingP99: quantile(during, 0.99) / quantile(alone, 0.99),
  };
}

/** Titles of the index as references in print, by an author whom no record names. */
function referencesOf({ drawn }: Bench): string[] {
  const titles = drawn.queries.load.filter(({ kind }) => kind === 'title');
  return titles
    .slice(0, REFERENCES)
    .map(({ text }) => `Berg, A. B. (2020). ${text}. Annals, 3, 1–9.`);
}
