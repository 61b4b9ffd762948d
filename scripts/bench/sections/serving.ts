/** Measures a served index: its start, speed, speed under load, memory, and ledger. */
import { auditAccount } from '../account.ts';
import { hashAnswers } from '../answers-hash.ts';
import { type Bench, measureEmbedding, measureWorkers, textsOf } from '../bench.ts';
import { type Searched, searchInParallel, searchOneByOne } from '../clients.ts';
import type { Target } from '../connection.ts';
import type { Figures } from '../rows.ts';
import { type Server, startServer } from '../server.ts';
import { median, quantile } from '../statistics.ts';

/**
 * How often E and the single client alternate. On a shared machine, E changes within seconds.
 */
const TURNS = 3;

export async function measureServing(bench: Bench): Promise<Figures> {
  const { copy, secret, options } = bench;
  const { server, startMs } = await startOften(copy, options.starts);
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
  const answers = one.warmUpAnswers + one.answered.length + many.answers;
  bench.ledgerDifferences.push(...(await auditAccount(copy, answers)));
  return {
    httpP50: quantile(one.milliseconds, 0.5),
    httpP99: quantile(one.milliseconds, 0.99),
    load: many.rate,
    start: startMs / 1000,
    ledger: bench.ledgerDifferences.length,
    ...(residentBytes === undefined ? {} : { memory: residentBytes / 1e6 }),
  };
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

/** Starts the server several times. The last one keeps running. */
async function startOften(
  database: string,
  starts: number,
): Promise<{ server: Server; startMs: number }> {
  let server = await startServer(database);
  const milliseconds = [server.startMs];
  while (milliseconds.length < starts) {
    await server.stop();
    server = await startServer(database);
    milliseconds.push(server.startMs);
  }
  return { server, startMs: median(milliseconds) };
}
