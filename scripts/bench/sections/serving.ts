/** A served index: how soon, how fast, under load, in how much memory, and with what ledger. */
import { auditAccount } from '../account.ts';
import { hashAnswers } from '../answers-hash.ts';
import { type Bench, measureEmbedding, measureWorkers, textsOf } from '../bench.ts';
import { searchInParallel, searchOneByOne } from '../clients.ts';
import type { Figures } from '../rows.ts';
import { type Server, startServer } from '../server.ts';
import { median, quantile } from '../statistics.ts';

export async function measureServing(bench: Bench): Promise<Figures> {
  const { copy, secret, options } = bench;
  const { server, startMs } = await startOften(copy, options.starts);
  const target = { port: server.port, secret };
  await measureEmbedding(bench);
  const warm = await searchOneByOne(target, textsOf(bench, 'warmUp'));
  const one = await searchOneByOne(target, textsOf(bench, 'measured'));
  await measureEmbedding(bench);
  await measureWorkers(bench);
  const many = await searchInParallel(target, textsOf(bench, 'load'), options);
  const residentBytes = server.residentBytes();
  await measureWorkers(bench);
  await server.stop();

  bench.quietMs.push(...one.milliseconds);
  bench.hashes.push(hashAnswers(one.answered));
  bench.failures.push(...warm.failures, ...one.failures, ...many.failures);
  const answers = warm.answered.length + one.answered.length + many.answers;
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

/** Starts the server as often as told; the last one runs on. */
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
