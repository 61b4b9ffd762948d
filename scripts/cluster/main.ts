/**
 * `npm run cluster`: a cluster on one machine, under load, whose parts are killed.
 *
 *   main.ts ─► namespace.ts (this script again, in a network of its own)
 *           ─► run.ts ─► cluster.ts  PostgreSQL with a replica, nodes, HAProxy
 *                                    ─► shards.ts, a second PostgreSQL and a node that searches both
 *                     ─► load.ts     clients, which note what they got
 *                     ─► kills.ts    a node, the primary, the link between them, the second PostgreSQL
 *                     ─► compare.ts  the same questions to copies of the index and to shards
 *                     ─► audit.ts    what the clients got against the ledger
 *
 * Exits 1 if anything does not add up.
 */
import { runMain } from '../bench/run-main.ts';
import { inTemporaryFolder } from '../bench/temporary-folder.ts';
import { INSIDE, runInNamespace } from './namespace.ts';
import { parseOptions } from './options.ts';
import { printReport } from './report.ts';
import { runTrial } from './run.ts';

const EXIT_FAILED = 1;

await runMain('cluster', async () => {
  const [first, ...others] = process.argv.slice(2);
  if (first === INSIDE) return await tryOut(others, { hasNamespace: true });
  const args = process.argv.slice(2);
  parseOptions(args);
  const exitCode = await runInNamespace(args);
  if (exitCode === undefined) return await tryOut(args, { hasNamespace: false });
  process.exitCode = exitCode;
});

async function tryOut(
  args: readonly string[],
  { hasNamespace }: { hasNamespace: boolean },
): Promise<void> {
  const options = parseOptions(args);
  const report = await inTemporaryFolder('cluster', (folder) =>
    runTrial({ ...options, hasNamespace }, folder),
  );
  printReport(report, { asJson: options.json });
  if (report.wrong.length > 0) process.exitCode = EXIT_FAILED;
}
