/**
 * A cluster on one machine, under load, whose parts are killed.
 *
 *   main.ts ─► run.ts ─► cluster.ts  PostgreSQL with a replica, nodes, HAProxy
 *                     ─► load.ts     clients, which note what they got
 *                     ─► kills.ts    a node, the primary, the link between them
 *                     ─► audit.ts    what the clients got against the ledger
 */
import type { Outcome, Table } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type ClusterOptions, options } from './cluster.ts';
import { type Report, runTrial } from './run.ts';

export const measurement = defineMeasurement({
  options,
  notes: 'Exits 1 if anything does not add up.',
  run: tryOut,
});

async function tryOut(values: ClusterOptions): Promise<Outcome> {
  const trial = (folder: string): Promise<Report> => runTrial(values, folder);
  const { wrong, ...report } = await inTemporaryFolder('cluster', trial);
  return {
    report: { options: values, ...report },
    shown: [
      `${values.nodes} nodes, ${values.clients} clients, ${values.customers} customers`,
      ...tablesOf(report),
      ...(wrong.length === 0 ? ['everything adds up'] : []),
    ],
    wrong,
  };
}

function tablesOf({ figures, audit }: Omit<Report, 'wrong'>): Table[] {
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
    { head: ['searches', 'number'], rows: Object.entries(searches) },
  ];
}
