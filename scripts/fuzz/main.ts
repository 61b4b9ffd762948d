/**
 * `npm run fuzz`: feeds the program with malformed and unusual input, by its structure. Nothing may
 * crash, hang, or fail with an unexpected error; targets/ says what else each target holds.
 *
 * Each target runs in a process of its own, so that a hang or a crash of native code is a failure of
 * that target, with the seed that caused it. Exits 1 if a case fails.
 */
import { printJson, printTable } from '../../src/commands/cli/output.ts';
import { runMain } from '../bench/run-main.ts';
import { inTemporaryFolder } from '../bench/temporary-folder.ts';
import { parseOptions } from './options.ts';
import { performTarget, startTarget, TARGET_ARGUMENT } from './processes.ts';
import type { FuzzOutcome } from './run-target.ts';

const EXIT_FAILED = 1;

await runMain('fuzz', () =>
  process.argv[2] === TARGET_ARGUMENT
    ? performTarget(process.argv.slice(3))
    : fuzz(process.argv.slice(2)),
);

async function fuzz(args: readonly string[]): Promise<void> {
  const { targets, cases, seed, json } = parseOptions(args);
  process.stderr.write(`seed ${seed}\n`);
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  const outcomes: FuzzOutcome[] = [];
  await inTemporaryFolder('fuzz', async (folder) => {
    for (const target of targets) {
      const own = Math.max(1, Math.round((cases * target.share) / shares));
      outcomes.push(await startTarget(target.name, { folder, seed, cases: own }));
    }
  });
  print(outcomes, json);
  if (outcomes.some(({ failure }) => failure !== undefined)) process.exitCode = EXIT_FAILED;
}

function print(outcomes: readonly FuzzOutcome[], isJson: boolean): void {
  if (isJson) {
    printJson(outcomes);
    return;
  }
  printTable(
    ['target', 'seed', 'cases', 'seconds', 'result'],
    outcomes.map(({ target, seed, cases, seconds, failure }) => [
      ...[target, String(seed), cases, seconds.toFixed(1)],
      failure === undefined ? 'held' : 'failed',
    ]),
  );
  for (const { target, failure } of outcomes) {
    if (failure !== undefined) process.stdout.write(`\n${target}\n${failure}\n`);
  }
}
