/** Clients that search over HTTP, one at a time or many in parallel. */
import type { Answer } from '../../src/types.ts';
import type { Answered } from './answers-hash.ts';
import { type Connection, connect, type Reply, searchRequest, type Target } from './connection.ts';

export interface Searched {
  /** One per answer, in the order of the queries. */
  milliseconds: number[];
  answered: Answered[];
  /** One sentence per failure. */
  failures: string[];
}

/** Searches as one client, each query after the previous answer, while `goOn` returns true. */
export async function searchOneByOne(
  target: Target,
  queries: readonly string[],
  goOn: () => boolean = () => true,
): Promise<Searched> {
  const searched: Searched = { milliseconds: [], answered: [], failures: [] };
  const client = createClient(target, searched.failures);
  for (const query of queries) {
    if (!goOn()) break;
    const reply = await client.search(query);
    if (reply === undefined) continue;
    searched.milliseconds.push(reply.milliseconds);
    searched.answered.push({ query, answer: JSON.parse(String(reply.body)) as Answer });
  }
  client.close();
  return searched;
}

export interface Loaded {
  /** Answers per second, counting those that arrived in time. */
  rate: number;
  /** All answers, with those that arrived late. */
  answers: number;
  failures: string[];
}

/** Searches with clients in a closed loop: each sends its next query after its answer. */
export async function searchInParallel(
  target: Target,
  queries: readonly string[],
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Loaded> {
  const failures: string[] = [];
  const deadline = performance.now() + seconds * 1000;
  let next = 0;
  let answers = 0;
  let inTime = 0;
  const runClient = async (): Promise<void> => {
    const client = createClient(target, failures);
    while (performance.now() < deadline) {
      const reply = await client.search(queries[next++ % queries.length] as string);
      if (reply === undefined) continue;
      answers++;
      if (performance.now() <= deadline) inTime++;
    }
    client.close();
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  return { rate: inTime / seconds, answers, failures };
}

interface Client {
  /** Returns undefined after a failure, which is added to the failures. */
  search(query: string): Promise<(Reply & { milliseconds: number }) | undefined>;
  close(): void;
}

/** Creates a client with one connection, which it reopens after a break. */
function createClient(target: Target, failures: string[]): Client {
  let connection: Connection | undefined;
  return {
    async search(query) {
      const request = searchRequest(query, target);
      try {
        connection ??= await connect(target.port);
        const started = performance.now();
        const reply = await connection.send(request);
        const milliseconds = performance.now() - started;
        if (reply.status === 200) return { ...reply, milliseconds };
        failures.push(`a search was answered with ${reply.status}: ${String(reply.body)}`);
      } catch (error) {
        failures.push(`a search failed: ${String(error)}`);
        connection?.close();
        connection = undefined;
      }
      return undefined;
    },
    close: () => connection?.close(),
  };
}
