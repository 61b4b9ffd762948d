/**
 * Measures an index and the program in dist/, and compares with the bounds in rows.ts. Times are
 * multiples of the yardsticks E and L, which are measured in the same run. A missed bound is no failure,
 * because figures depend on the machine.
 *
 *   main.ts ─► sections/ ─► tasks/ (a process each), or `verbatim` from dist/
 */
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { searchSettings } from '../../src/settings/search-settings.ts';
import { formatNumber } from '../../src/text/format-number.ts';
import { createCustomer } from '../measure/accounts.ts';
import { copyDatabase, existing, indexSample } from '../measure/databases.ts';
import { countsOf, type Outcome, say } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { countBy, median } from '../measure/statistics.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type Bench, type BenchOptions, measureEmbedding, options } from './bench.ts';
import { draw } from './queries.ts';
import { type Figures, type Row, toRows } from './rows.ts';
import { measureBuilding } from './sections/building.ts';
import { measureAdding, measureKeeping } from './sections/meanwhile.ts';
import { measureRecall, measureRetrieval } from './sections/retrieval.ts';
import { measureServing } from './sections/serving.ts';
import { measureVerifying } from './sections/verifying.ts';

/** Queries to draw per second of load: more than can be answered. */
const LOAD_QUERIES_PER_SECOND = 1000;
/** As many as a server makes after its start: then the lists that it caches are in memory. */
const WARM_UP = searchSettings.warmUpSearches.value;
const WARM_UP_SMOKE = 6;
const DIGITS = 3;

const measures: Record<BenchOptions['only'][number], (bench: Bench) => Promise<Figures>> = {
  serving: measureServing,
  verifying: measureVerifying,
  retrieval: measureRetrieval,
  recall: measureRecall,
  adding: measureAdding,
  keeping: measureKeeping,
  building: measureBuilding,
};

export const measurement = defineMeasurement({
  options,
  run(values) {
    // Beside the index, because the cost of a commit depends on the disk.
    const beside = values.db === undefined ? tmpdir() : dirname(resolve(values.db));
    return inTemporaryFolder('bench', (folder) => runBench(values, folder), beside);
  },
});

async function runBench(options: BenchOptions, folder: string): Promise<Outcome> {
  const bench = await prepare(options, folder);
  const figures: Figures = { file: statSync(bench.copy).size / 1e6 };
  for (const section of options.only) {
    say(`measuring ${section}`);
    Object.assign(figures, await measures[section](bench));
  }
  if (bench.embedMs.length === 0) await measureEmbedding(bench);
  return toOutcome(bench, figures);
}

async function prepare(options: BenchOptions, folder: string): Promise<Bench> {
  const source = options.db === undefined ? join(folder, 'sample.db') : existing(options.db);
  if (options.db === undefined) await indexSample(source);
  const copy = join(folder, 'copy.db');
  await copyDatabase(source, copy);
  const counts = {
    measured: options.queries,
    warmUp: options.smoke ? WARM_UP_SMOKE : WARM_UP,
    load: options.seconds * LOAD_QUERIES_PER_SECOND,
  };
  const drawn = await draw({ database: copy, seed: options.seed, counts });
  const secret = createCustomer(copy, 'bench');
  const found = { embedMs: [], workerRates: [], quietMs: [], hashes: [], failures: [] };
  return { options, folder, source, copy, drawn, secret, ...found, ledgerDifferences: [] };
}

function toOutcome(bench: Bench, figures: Figures): Outcome {
  const { drawn, hashes, failures, ledgerDifferences } = bench;
  const isSame = hashes.every((hash) => hash === hashes[0]);
  const all: Figures = { embed: median(bench.embedMs), ...figures };
  if (bench.workerRates.length > 0) all.embedWorkers = median(bench.workerRates);
  if (bench.quietMs.length > 0) all.failures = failures.length;
  const { documents, sentences } = drawn;
  const queries = countBy(drawn.queries.measured.map(({ kind }) => kind));
  const rows = toRows(all);
  return {
    report: { index: { documents, sentences }, queries, rows, hash: hashes[0] },
    shown: [
      `${formatNumber(documents)} documents, ${formatNumber(sentences)} sentences`,
      `queries: ${countsOf(queries)}`,
      { head: ['measure', 'value', 'multiple', 'bound', 'met'], rows: rows.map(cellsOf) },
      `\nanswers: ${hashes[0] ?? 'not hashed'}`,
    ],
    wrong: [
      ...(isSame ? [] : ['the server and a search in one process answer differently']),
      ...failures,
      ...ledgerDifferences,
    ],
  };
}

function cellsOf({ label, value, unit, multiple, yardstick, isMet, ...row }: Row): string[] {
  const inUnit = (of: string, number?: number, sign = ''): string =>
    number === undefined ? '' : `${sign}${short(number)} ${of}`.trim();
  const of = yardstick ?? unit;
  const bound = inUnit(of, row.atMost, '<= ') || inUnit(of, row.atLeast, '>= ');
  const met = isMet === undefined ? '' : isMet ? 'yes' : 'no';
  return [label, inUnit(unit, value), inUnit(of, multiple), bound, met];
}

/** Formats a number with three significant digits and all digits before the point. */
function short(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS));
  return formatNumber(Math.abs(value) >= 10 ** DIGITS ? Math.round(value) : rounded);
}
