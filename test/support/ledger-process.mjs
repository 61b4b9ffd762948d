/**
 * A process that writes a ledger: the ledger thread of the built program, alone. It holds credits,
 * settles what it got, and prints how many it got.
 *
 *   node ledger-process.mjs BUNDLE DATABASE CUSTOMER KEY NAME HOLDS
 *
 * It prints a line when it is ready, and starts when its standard input ends.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import process from 'node:process';
import { Piscina } from 'piscina';

const [bundle, path, customer, key, name, holds] = process.argv.slice(2);
const BATCH = 4;

const { dev: device, ino: inode } = statSync(path, { bigint: true });
const pool = new Piscina({
  filename: bundle,
  name: 'workerHandler',
  workerData: { role: 'ledger', path, lockWaitMs: 30_000, file: { device, inode } },
  minThreads: 1,
  maxThreads: 1,
  concurrentTasksPerWorker: 1,
});
await pool.run([]);
process.stdout.write('ready\n');
process.stdin.resume();
await once(process.stdin, 'end');

let got = 0;
for (let first = 0; first < Number(holds); first += BATCH) {
  const ids = Array.from({ length: BATCH }, (_, index) => `${name}-${first + index}`);
  const account = { customerId: Number(customer), keyId: Number(key), credits: 1 };
  const { value: held } = await pool.run(
    ids.map((requestId) => ({ kind: 'hold', requestId, ...account, now: Date.now() })),
  );
  const taken = ids.filter((_, index) => held[index].value !== undefined);
  await pool.run(taken.map((requestId) => ({ kind: 'settle', requestId, now: Date.now() })));
  got += taken.length;
}
await pool.close();
process.stdout.write(`${got}\n`);
