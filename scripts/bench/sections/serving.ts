/** Measures a served index: its start, speed, speed under load, memory, and ledger. */
import { auditServed } from '../../measure/accounts.ts';
import {
  type Searched,
  searchInParallel,
  searchOneByOne,
  type Target,
} from '../../measure/clients.ts';
import { startServer } from '../../measure/server.ts';
import { median, quantile } from '../../measure/statistics.ts';
import { hashAnswers } from '../answers-hash.ts';
import { type Bench, measureEmbedding, measureWorkers, textsOf } from '../bench.ts';
import type { Figures } from '../rows.ts';

/**
 * How often E and the single client alternate. On a shared machine, E changes within seconds.
 */
const TURNS = 3;

export async function measureServing(bench: Bench): Promise<Figures> {
  const { copy, secret, options } = bench;
  // The last one keeps running.
  let server = await startServer(copy);
  const starts = [server.startMs];
  while (starts.length < options.starts) {
    await server.stop();
    server = await startServer(copy);
    starts.push(server.startMs);
  }
  const target = { port: server.port, secret };
  const one = await searchInTurns(bench, target);
  await measureWorkers(bench);
  const many = await searchInParallel(target, textsOf(bench, 'load'), options);
  const residentBytes = server.residentBytes();
  await measureWorkers(bench);
  await server.stop();

  bench.quietMs.push(...one.milliseconds);
  bench.hashes.push(hashAnswers(one.answered));
  bench.failures.push(...one.failures, ...many.failures);
  const answers = one.warmUpAnswers + one.answered.length + many.milliseconds.length;
  bench.ledgerDifferences.push(...auditServed(copy, answers));
  const figures: Figures = {
    httpP50: quantile(one.milliseconds, 0.5),
    httpP99: quantile(one.milliseconds, 0.99),
    load: many.rate,
    start: median(starts) / 1000,
    ledger: bench.ledgerDifferences.length,
  };
  if (residentBytes !== undefined) figures.memory = residentBytes / 1e6;
  return figures;
}

/** The single client's searches in several parts, with E measured before and after each part. */
async function searchInTurns(
  bench: Bench,
  target: Target,
): Promise<Searched & { warmUpAnswers: number }> {
  const queries = textsOf(bench, 'measured');
  const size = Math.ceil(queries.length / TURNS);
  const all: Searched = { milliseconds: [], answered: [], failures: [] };
  let warmUpAnswers = 0;
  await measureEmbedding(bench);
  for (let start = 0; start < queries.length; start += size) {
    const warm = await searchOneByOne(target, textsOf(bench, 'warmUp'));
    const part = await searchOneByOne(target, queries.slice(start, start + size));
    await measureEmbedding(bench);
    all.milliseconds.push(...part.milliseconds);
    all.answered.push(...part.answered);
    all.failures.push(...warm.failures, ...part.failures);
    warmUpAnswers += warm.answered.length;
  }
  return { ...all, warmUpAnswers };
}
