/** Asks copies of the index and the index on two servers the same questions. */
import { quantile } from '../bench/statistics.ts';
import { type Customer, createClient, type SearchOutcome } from './client.ts';
import { type Exchange, OK } from './exchange.ts';
import { until } from './until.ts';

/** Where the same index is searched. */
export const placeNames = ['copies', 'shards'] as const;
export type PlaceName = (typeof placeNames)[number];

export interface Comparison {
  questions: number;
  p50Ms: Record<PlaceName, number>;
}

export interface CompareOptions {
  ports: Record<PlaceName, number>;
  customer: Customer;
  questions: readonly string[];
}

export interface Compared {
  comparison: Comparison;
  exchanges: Exchange[];
  /** One sentence for each question with different answers. */
  wrong: string[];
}

const LIMIT = 10;

/** Asks both each question in turn, so that whatever else the machine does slows down both. */
export async function compareIndexes(options: CompareOptions): Promise<Compared> {
  const { ports, customer, questions } = options;
  const exchanges: Exchange[] = [];
  const wrong: string[] = [];
  const times: Record<PlaceName, number[]> = { copies: [], shards: [] };
  const clients = {
    copies: createClient(ports.copies, customer),
    shards: createClient(ports.shards, customer),
  };
  const ask = async (name: PlaceName, query: string): Promise<string> => {
    let outcome: SearchOutcome | undefined;
    await until(`${name} answer`, async () => {
      outcome = await clients[name]({ query, limit: LIMIT });
      exchanges.push(outcome.exchange);
      return outcome.exchange.status === OK;
    });
    const { sentAt = 0, endedAt = 0 } = outcome?.exchange ?? {};
    times[name].push(endedAt - sentAt);
    return quotesOf(outcome?.body);
  };
  for (const question of questions) {
    const [copies, shards] = [await ask('copies', question), await ask('shards', question)];
    if (copies === shards) continue;
    wrong.push(`"${question}": copies answer ${copies}, and shards ${shards}`);
  }
  return {
    comparison: {
      questions: questions.length,
      p50Ms: { copies: quantile(times.copies, 0.5), shards: quantile(times.shards, 0.5) },
    },
    exchanges,
    wrong,
  };
}

/** The papers of an answer in their order, each with its sentence. */
export function quotesOf(body: Buffer | undefined): string {
  const { results } = JSON.parse(body?.toString() ?? '{"results":[]}') as {
    results: { d: string; q: string }[];
  };
  return results.map(({ d, q }) => `${d}: ${q}`).join(' | ');
}
