/** Measures searches without a server: retrieval and citation, and the recall of dense candidates. */
import { quantile } from '../../measure/statistics.ts';
import { type Bench, measureEmbedding, textsOf } from '../bench.ts';
import type { Figures } from '../rows.ts';
import { recall, retrieve } from '../tasks/retrieve.ts';

export async function measureRetrieval(bench: Bench): Promise<Figures> {
  await measureEmbedding(bench);
  const [queries, warmUp] = [textsOf(bench, 'measured'), textsOf(bench, 'warmUp')];
  const { milliseconds, hash } = await retrieve({ database: bench.copy, queries, warmUp });
  await measureEmbedding(bench);
  bench.hashes.push(hash);
  return { retrievalP50: quantile(milliseconds, 0.5), retrievalP99: quantile(milliseconds, 0.99) };
}

export async function measureRecall(bench: Bench): Promise<Figures> {
  const queries = textsOf(bench, 'measured');
  return { recall: await recall({ database: bench.copy, queries }) };
}
