/**
 * `npm run fuzz`: feeds the program with malformed and unusual input, by its structure. Nothing may
 * crash, hang, or fail with an unexpected error; targets/ says what else each target holds.
 *
 * Each target runs in a process of its own, so that a hang or a crash of native code is a failure of
 * that target, with the seed that caused it. Exits 1 if a case fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printJson, printTable } from '../../src/commands/cli/output.ts';
import { detailsOf, VerbatimError } from '../../src/errors.ts';
import { endProcesses } from '../bench/processes.ts';
import { parseOptions } from './options.ts';
import { performTarget, startTarget, TARGET_ARGUMENT } from './processes.ts';
import type { FuzzOutcome } from './run-target.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

try {
  if (process.argv[2] === TARGET_ARGUMENT) await performTarget(process.argv.slice(3));
  else await fuzz(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof VerbatimError && error.code === 'usage';
  process.stderr.write(`fuzz: ${isUsage ? error.message : detailsOf(error)}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
}

async function fuzz(args: readonly string[]): Promise<void> {
  const { targets, cases, seed, json } = parseOptions(args);
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-fuzz-'));
  const tidyUp = (): void => {
    endProcesses();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      tidyUp();
      process.exit(EXIT_INTERRUPTED);
    });
  }
  process.stderr.write(`seed ${seed}\n`);
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  const outcomes: FuzzOutcome[] = [];
  try {
    for (const target of targets) {
      const own = Math.max(1, Math.round((cases * target.share) / shares));
      outcomes.push(await startTarget(target.name, { folder, seed, cases: own }));
    }
  } finally {
    tidyUp();
  }
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
