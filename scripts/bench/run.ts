/** Runs a benchmark: prepares the index, measures section by section, and cleans up. */
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { samplePath } from '../../src/bundle.ts';
import { VerbatimError } from '../../src/errors.ts';
import { createAccount } from './account.ts';
import { type Bench, measureEmbedding } from './bench.ts';
import { describeMachine } from './machine.ts';
import type { BenchOptions, Section } from './options.ts';
import { runTask, runVerbatim } from './processes.ts';
import { countKinds } from './queries.ts';
import type { Report } from './report.ts';
import { type Figures, toRows } from './rows.ts';
import { measureAdding } from './sections/adding.ts';
import { measureBuilding } from './sections/building.ts';
import { measureGrowth } from './sections/growth.ts';
import { measureKeeping } from './sections/keeping.ts';
import { measureRecall, measureRetrieval } from './sections/retrieval.ts';
import { measureServing } from './sections/serving.ts';
import { median } from './statistics.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

/** Queries to draw per second of load: more than can be answered. */
const LOAD_QUERIES_PER_SECOND = 1000;
/** Queries to draw per document that is added meanwhile: more than can be answered. */
const SEARCHES_PER_ADDED = 8;

const measures: Record<Section, (bench: Bench) => Promise<Figures>> = {
  serving: measureServing,
  retrieval: measureRetrieval,
  recall: measureRecall,
  adding: measureAdding,
  keeping: measureKeeping,
  building: measureBuilding,
  growth: measureGrowth,
};

/** Runs the chosen sections. */
export function runBench(options: BenchOptions): Promise<Report> {
  const machine = describeMachine();
  // Beside the index, because the cost of a commit depends on the disk.
  const beside = options.db === undefined ? tmpdir() : dirname(resolve(options.db));
  const measure = async (folder: string): Promise<Report> => {
    const bench = await prepare(options, folder);
    const figures: Figures = { file: statSync(bench.copy).size / 1e6 };
    for (const section of options.only) {
      process.stderr.write(`measuring ${section}\n`);
      Object.assign(figures, await measures[section](bench));
    }
    if (bench.embedMs.length === 0) await measureEmbedding(bench);
    return toReport(bench, { figures, machine });
  };
  return inTemporaryFolder('bench', measure, beside);
}

async function prepare(options: BenchOptions, folder: string): Promise<Bench> {
  const source = await prepareSource(options, folder);
  const copy = join(folder, 'copy.db');
  await runTask('copy', { from: source, to: copy });
  const drawn = await runTask('draw', {
    database: copy,
    seed: options.seed,
    counts: {
      measured: options.queries,
      warmUp: options.warmUp,
      load: options.seconds * LOAD_QUERIES_PER_SECOND,
      adding: options.queries + options.added * SEARCHES_PER_ADDED,
    },
  });
  return {
    options,
    folder,
    source,
    copy,
    drawn,
    secret: await createAccount(copy),
    embedMs: [],
    workerRates: [],
    quietMs: [],
    hashes: [],
    failures: [],
    ledgerDifferences: [],
  };
}

async function prepareSource({ db, files }: BenchOptions, folder: string): Promise<string> {
  const source = db === undefined ? join(folder, 'sample.db') : resolve(db);
  const added = db === undefined ? [samplePath()] : files;
  if (added.length > 0) {
    await runVerbatim(['index', 'add', ...added, '--db', source], { isShown: true });
  } else if (!existsSync(source)) {
    throw new VerbatimError('usage', `there is no database at ${source}`);
  }
  return source;
}

function toReport(
  bench: Bench,
  { figures, machine }: { figures: Figures; machine: Report['machine'] },
): Report {
  const { drawn, hashes, failures, ledgerDifferences } = bench;
  const isSame = hashes.every((hash) => hash === hashes[0]);
  const wrong = isSame ? [] : ['the server and a search in one process answer differently'];
  const rows = toRows({
    embed: median(bench.embedMs),
    ...(bench.workerRates.length > 0 ? { embedWorkers: median(bench.workerRates) } : {}),
    ...(bench.quietMs.length > 0 ? { failures: failures.length } : {}),
    ...figures,
  });
  return {
    machine,
    index: { documents: drawn.documents, sentences: drawn.sentences },
    queries: countKinds(drawn.queries.measured),
    rows,
    hash: hashes[0],
    wrong: [...wrong, ...failures, ...ledgerDifferences],
  };
}
