/**
 * Measures searches without a server: retrieval and citation, and the recall of dense candidates.
 */
import { type Bench, measureEmbedding, textsOf } from '../bench.ts';
import { runTask } from '../processes.ts';
import type { Figures } from '../rows.ts';
import { quantile } from '../statistics.ts';

export async function measureRetrieval(bench: Bench): Promise<Figures> {
  await measureEmbedding(bench);
  const { milliseconds, hash } = await runTask('retrieve', {
    database: bench.copy,
    queries: textsOf(bench, 'measured'),
    warmUp: textsOf(bench, 'warmUp'),
  });
  await measureEmbedding(bench);
  bench.hashes.push(hash);
  return {
    retrievalP50: quantile(milliseconds, 0.5),
    retrievalP99: quantile(milliseconds, 0.99),
  };
}

export async function measureRecall(bench: Bench): Promise<Figures> {
  const queries = textsOf(bench, 'measured');
  const { ofTen, ofFifty } = await runTask('recall', { database: bench.copy, queries });
  return { recallOfTen: ofTen, recall: ofFifty };
}
