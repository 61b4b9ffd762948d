/**
 * A cluster on one machine, under load, whose parts are killed.
 *
 *   main.ts ─► network.ts (this measurement again, in a network of its own)
 *           ─► run.ts ─► cluster.ts  PostgreSQL with a replica, nodes, HAProxy
 *                                    ─► shards.ts, a second PostgreSQL and a node that searches both
 *                     ─► load.ts     clients, which note what they got
 *                     ─► kills.ts    a node, the primary, the link between them, the second PostgreSQL
 *                     ─► compare.ts  the same questions to copies of the index and to shards
 *                     ─► audit.ts    what the clients got against the ledger
 */
import type { Outcome, Table } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type ClusterOptions, options } from './cluster.ts';
import { partNames } from './figures.ts';
import { runInNamespace } from './network.ts';
import { type Report, runTrial } from './run.ts';

export const measurement = defineMeasurement({
  options,
  notes: `A further server searches the index on two servers of PostgreSQL, where pgvector and PL/Proxy are installed.
It must find the same, and searches fail free of charge while the second of them is dead.
Exits 1 if anything does not add up.`,
  async run(values) {
    const exitCode = await runInNamespace();
    if (exitCode === undefined) return await tryOut(values);
    process.exitCode = exitCode;
    return undefined;
  },
});

async function tryOut(values: ClusterOptions): Promise<Outcome> {
  const trial = (folder: string): Promise<Report> => runTrial(values, folder);
  const { wrong, ...report } = await inTemporaryFolder('cluster', trial);
  return {
    report: { options: values, ...report },
    shown: [
      `${values.nodes} nodes, ${values.clients} clients, ${values.customers} customers`,
      ...tablesOf(report),
      ...report.skipped.map((sentence) => `skipped: ${sentence}`),
      ...(wrong.length === 0 ? ['everything adds up'] : []),
    ],
    wrong,
  };
}

function tablesOf({ figures, comparison, audit, costs }: Omit<Report, 'wrong'>): Table[] {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const counted = ['kills', 'answers/s', 'p50', 'p99', 'refused', 'failed', 'longest pause'];
  const { answered, charged, released, free } = audit;
  const searches = { answered, charged, released, 'answered and released': free };
  return [
    {
      head: ['around a kill of', ...counted],
      rows: figures.map(({ name, kills, figures: found }) => [
        ...[name, kills, found.answersPerSecond.toFixed(0), ms(found.p50Ms), ms(found.p99Ms)],
        ...[found.refused, found.failed, ms(found.pauseMs)],
      ]),
    },
    ...(comparison === undefined
      ? []
      : [
          {
            head: [`the same ${comparison.questions} questions to`, 'p50'],
            rows: Object.entries(comparison.p50Ms).map(([name, value]) => [name, ms(value)]),
          },
        ]),
    { head: ['searches', 'number'], rows: Object.entries(searches) },
    {
      head: ['processor time of an answer', 'in all'],
      rows: partNames.map((name) => [name, `${costs[name].toFixed(2)} ms`]),
    },
  ];
}
