/** Clients that search over HTTP: one after the other, or many at a time. */
import type { Answer } from '../../src/types.ts';
import type { Answered } from './answers-hash.ts';
import { type Connection, connect, type Reply, searchRequest, type Target } from './connection.ts';

export interface Searched {
  /** One an answer, in the order of the queries. */
  milliseconds: number[];
  answered: Answered[];
  /** One sentence each. */
  failures: string[];
}

/** One client: each query when the one before is answered, while `goOn` says so. */
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
  /** Answers a second, of those that came in time. */
  rate: number;
  /** All answers, also those that came when the time was over. */
  answers: number;
  failures: string[];
}

/** Clients in a closed loop: each sends its next query when it has its answer. */
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
  /** Undefined where it was no answer: see the failures. */
  search(query: string): Promise<(Reply & { milliseconds: number }) | undefined>;
  close(): void;
}

/** A client with one connection, which is opened anew when it has broken. */
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
