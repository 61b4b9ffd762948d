/** Asks copies of the index and the index on two servers the same questions. */
import type { Customer } from '../measure/accounts.ts';
import { quantile } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { createClient, type Exchange, OK, type SearchOutcome } from './client.ts';

type PlaceName = 'copies' | 'shards';

export interface Comparison {
  questions: number;
  p50Ms: Record<PlaceName, number>;
}

interface CompareOptions {
  /** Where copies and shards of the same index are searched. */
  ports: Record<PlaceName, number>;
  customer: Customer;
  questions: readonly string[];
}

const LIMIT = 10;

/**
 * Asks both each question in turn, so that whatever else the machine does slows down both. `wrong` has a
 * sentence for each question with different answers.
 */
export async function compareIndexes({ ports, customer, questions }: CompareOptions) {
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
  const p50Ms = { copies: quantile(times.copies, 0.5), shards: quantile(times.shards, 0.5) };
  const comparison: Comparison = { questions: questions.length, p50Ms };
  return { comparison, exchanges, wrong };
}

/** The papers of an answer in their order, each with its sentence. */
function quotesOf(body: Buffer | undefined): string {
  const { results } = JSON.parse(body?.toString() ?? '{"results":[]}') as {
    results: { d: string; q: string }[];
  };
  return results.map(({ d, q }) => `${d}: ${q}`).join(' | ');
}
