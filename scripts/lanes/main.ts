/**
 * Runs the program in dist/ with stubs of providers. In most scenarios, one stub is slow, hangs, or
 * fails. In the soak, many customers ask while all of them misbehave at random.
 */
import { join } from 'node:path';
import { formatBytes } from '../../src/text/format-bytes.ts';
import { prepareIndex } from '../measure/databases.ts';
import { count, text, type ValuesOf } from '../measure/options.ts';
import { countsOf, ms, type Outcome, say, type Table } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { sumOf } from '../measure/statistics.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type LocalTimes, timeLocalAnswers } from './local-answers.ts';
import { type Measures, runScenario, type Scenario } from './scenario.ts';
import { type Behavior, providerNames } from './stubs.ts';

const SMOKE_CUSTOMERS_MAX = 4;

const options = {
  only: text('run only the scenarios whose name contains this word, such as soak', 'word'),
  db: text('use a copy of this index (default: the sample)'),
  customers: count(200, 'concurrent customers of the soak', 12),
  seconds: count(60, 'how long they ask', 7),
  localSeconds: count(10, 'how long to time local answers, twice', 1),
  requestTimeoutMs: count(10_000, 'the time limit of a search in the soak', 4_000),
  seed: count(1, 'draws other questions and faults of the soak'),
};

const four = { customers: 4, questions: 12, everyMs: 2_000 };
const hundred = { customers: 100, questions: 1 };
const withOne = (base: typeof four | typeof hundred, who: string, behavior: Behavior): Scenario[] =>
  providerNames.map((name) => {
    return { ...base, name: `${who}, ${name} ${behavior}`, behaviors: { [name]: behavior } };
  });

const scenarios: readonly Scenario[] = [
  { name: 'four customers, all lanes well', ...four },
  ...withOne(four, 'four customers', 'hanging'),
  { name: 'a hundred at once, all lanes well', ...hundred },
  ...(['slow', 'hanging', 'failing'] as const).flatMap((behavior) =>
    withOne(hundred, 'a hundred at once', behavior),
  ),
];

export const measurement = defineMeasurement({
  options,
  run: (values) => inTemporaryFolder('lanes', (folder) => measureLanes(values, folder)),
});

async function measureLanes(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const { only = '', smoke, customers, seconds, seed, requestTimeoutMs } = values;
  const index = join(folder, 'index.db');
  await prepareIndex(values.db, index);
  const run = (scenario: Scenario): Promise<Measures> => {
    say(scenario.name);
    return runScenario(scenario, { index, folder });
  };
  const rows: Measures[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
    const fewer = Math.min(scenario.customers, SMOKE_CUSTOMERS_MAX);
    rows.push(await run(smoke ? { ...scenario, customers: fewer, questions: 1 } : scenario));
  }
  const soak = { name: 'soak', seed: String(seed), customers, seconds, requestTimeoutMs };
  const isSoaked = 'soak'.includes(only);
  const local = isSoaked
    ? await timeLocalAnswers(index, join(folder, 'local.db'), values)
    : undefined;
  const soaked = isSoaked ? await run(soak) : undefined;
  const all = soaked === undefined ? rows : [...rows, soaked];
  return {
    report: { scenarios: rows, soak: soaked, local },
    shown: [tableOfScenarios(all), ...(soaked && local ? [tableOfSoak(soaked, local)] : [])],
    wrong: all.flatMap(({ scenario, wrong }) =>
      wrong.map((sentence) => `${scenario}: ${sentence}`),
    ),
  };
}

function tableOfScenarios(rows: readonly Measures[]): Table {
  return {
    head: ['scenario', 'p50 ms', 'p99 ms', 'served', 'requests per question', 'errors'],
    rows: rows.map((row) => [
      ...[row.scenario, row.p50Ms.toFixed(0), row.p99Ms.toFixed(0)],
      ...[`${(100 * row.servedShare).toFixed(0)} %`, row.requestsPerQuestion.toFixed(2)],
      String(errorsOf(row)),
    ]),
  };
}

/** Responses other than 200. */
function errorsOf({ answers }: Measures): number {
  return sumOf(Object.values(answers)) - (answers['200'] ?? 0);
}

function tableOfSoak(soaked: Measures, local: LocalTimes): Table {
  const { start, most, last } = soaked.residentBytes;
  const gap = soaked.arxivGapMsMin === undefined ? 'none' : `${soaked.arxivGapMsMin} ms`;
  return {
    head: ['soak', 'value'],
    rows: [
      ['responses by status', countsOf(soaked.answers)],
      ['searches by outcome of the lanes', countsOf(soaked.outcomes)],
      ['requests to the stubs by behavior', countsOf(soaked.faults)],
      ['requests to arXiv, shortest gap', `${soaked.arxivRequests}, ${gap}`],
      ['memory at the start, maximum, at the end', [start, most, last].map(formatBytes).join(', ')],
      ['local answer, idle and with hanging lanes', `${ms(local.quietMs)}, ${ms(local.hangingMs)}`],
      ['ratio of medians, of p95', `${local.ratio.toFixed(2)}, ${local.p95Ratio.toFixed(2)}`],
    ],
  };
}
