/**
 * `npm run lanes`: runs the program in dist/ with provider stubs. In most scenarios, one stub is slow,
 * hangs, or fails. Prints search times, the share of searches that lanes serve, the requests per
 * question, and whether the circuit of a healthy provider opens.
 */
import { join } from 'node:path';
import { Command } from 'commander';
import { print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { indexSample } from '../bench/index-sample.ts';
import { inTemporaryFolder } from '../bench/temporary-folder.ts';
import type { Behavior } from './provider-stub.ts';
import { killAndRestart } from './restart.ts';
import { type Measures, providerNames, runScenario, type Scenario } from './run-scenario.ts';

const options = new Command('lanes')
  .description('measure searches while one lane at a time is slow, hangs, or fails')
  .option('--only <word>', 'run only scenarios whose name contains this word', '')
  .option('--json', 'print JSON for programs')
  .parse()
  .opts<{ only: string; json?: boolean }>();

const four = { customers: 4, questions: 12, everyMs: 2_000 };
const hundred = { customers: 100, questions: 1, everyMs: 0 };
const misbehaviors: readonly Behavior[] = ['slow', 'hanging', 'failing'];

const scenarios: readonly Scenario[] = [
  { name: 'four customers, all lanes well', behaviors: {}, ...four },
  ...providerNames.map((lane) => ({
    name: `four customers, ${lane} hanging`,
    behaviors: { [lane]: 'hanging' },
    ...four,
  })),
  {
    name: 'four customers without a pause, all lanes well',
    behaviors: {},
    ...four,
    everyMs: 0,
  },
  {
    name: 'four customers, all lanes slow',
    behaviors: { arxiv: 'slow', semantic_scholar: 'slow', crossref: 'slow' },
    ...four,
  },
  {
    name: 'four customers in a hurry, all lanes slow',
    behaviors: { arxiv: 'slow', semantic_scholar: 'slow', crossref: 'slow' },
    ...four,
    settings: { VERBATIM_REQUEST_TIMEOUT_MS: '3000' },
  },
  { name: 'a hundred at once, all lanes well', behaviors: {}, ...hundred },
  ...misbehaviors.flatMap((behavior) =>
    providerNames.map((lane) => ({
      name: `a hundred at once, ${lane} ${behavior}`,
      behaviors: { [lane]: behavior },
      ...hundred,
    })),
  ),
  {
    name: 'forty at once with the same question',
    behaviors: {},
    isSame: true,
    customers: 40,
    questions: 1,
    everyMs: 0,
  },
];

await inTemporaryFolder('lanes', async (folder) => {
  const index = join(folder, 'index.db');
  await indexSample(index);
  const rows: Measures[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes(options.only))) {
    rows.push(await runScenario(scenario, { index, folder }));
  }
  const restart = 'restart'.includes(options.only)
    ? await killAndRestart(index, folder)
    : undefined;
  if (options.json) printJson({ scenarios: rows, restart });
  else {
    printRows(rows);
    if (restart !== undefined) {
      print(
        `killed and restarted: ${restart.requestsDuringPause} requests during a backoff, ` +
          `${restart.arxivGapMs} ms between two requests to arXiv`,
      );
    }
  }
});

function printRows(rows: readonly Measures[]): void {
  printTable(
    [
      'scenario',
      'p50 ms',
      'p99 ms',
      'wait for lanes, p50 ms',
      'served',
      'requests per question',
      'wrongly open',
      'errors',
    ],
    rows.map((row) => [
      ...[row.scenario, row.p50Ms.toFixed(0), row.p99Ms.toFixed(0)],
      row.waitP50Ms.toFixed(0),
      ...[`${(100 * row.servedShare).toFixed(0)} %`, row.requestsPerQuestion.toFixed(2)],
      ...[String(row.wronglyOpen), String(row.errors)],
    ]),
  );
}
