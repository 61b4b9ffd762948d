/**
 * Feeds the program with malformed and unusual input, by its structure. Nothing may crash, hang, or fail
 * with an unexpected error; targets/ says what else each target holds. Each target runs in a process of
 * its own, so that a hang or a crash of native code is a failure of that target, with its seed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatSteps } from '../../src/commands/cli/output.ts';
import { count, some, text, type ValuesOf } from '../measure/options.ts';
import { finish, selfArguments, startNode, TASK_ARGUMENT, task } from '../measure/processes.ts';
import { type Outcome, say } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { sumOf } from '../measure/statistics.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type FuzzOutcome, runTarget } from './run-target.ts';
import { targets } from './targets.ts';

const SEED_MAX = 2 ** 31 - 1;
/** A batch that shows no progress for so long hangs. */
const PROGRESS_MS_MAX = 10 * 60_000;
const SHOW_EVERY_MS = 5_000;
const TASK = 'fuzz-target';

const options = {
  cases: count(20_000, 'cases in all, spread over the targets', 500),
  db: text('search copies of this index (default: the sample)'),
  target: some(targets.map(({ name }) => name)),
  seed: count(Number.NaN, 'seed of the cases (default: a random one, which is printed)'),
};

export const measurement = defineMeasurement({
  options,
  notes: `
${formatSteps(targets.map(({ name, description }) => [name, description]))}

Exits 1 if a case fails; it prints the smallest such case and how to repeat it.`,
  run: (values) => inTemporaryFolder('fuzz', (folder) => fuzz(values, folder)),
});

async function fuzz(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const random = Math.floor(Math.random() * SEED_MAX);
  const seed = Number.isNaN(values.seed) ? random : values.seed;
  say(`seed ${seed}`);
  const chosen = targets.filter(({ name }) => values.target.includes(name));
  const shares = sumOf(chosen.map(({ share }) => share));
  const outcomes: FuzzOutcome[] = [];
  for (const { name, share } of chosen) {
    const cases = Math.max(1, Math.round((values.cases * share) / shares));
    outcomes.push(await startTarget({ name, folder, db: values.db, seed, cases }));
  }
  const rows = outcomes.map((one) => [
    ...[one.target, String(one.seed), one.cases, one.seconds.toFixed(1)],
    one.failure === undefined ? 'held' : 'failed',
  ]);
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  return {
    report: { outcomes },
    shown: [
      { head: ['target', 'seed', 'cases', 'seconds', 'result'], rows },
      ...failed.map(({ target, failure }) => `\n${target}\n${failure}`),
    ],
    isMissed: failed.length > 0,
  };
}

interface TargetRun {
  name: string;
  folder: string;
  db: string | undefined;
  seed: number;
  cases: number;
}

/** Resolves with the outcome, also if the process hangs or dies: that is a failure of the target. */
async function startTarget(run: TargetRun): Promise<FuzzOutcome> {
  const { name, seed, cases } = run;
  const started = performance.now();
  const child = startNode(selfArguments(TASK_ARGUMENT, TASK), {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  child.stdin?.end(JSON.stringify(run));
  const watchdog = setTimeout(() => child.kill('SIGKILL'), PROGRESS_MS_MAX);
  let done = 0;
  let shownAt = started;
  child.on('message', (message) => {
    done = Number(message);
    watchdog.refresh();
    if (performance.now() - shownAt < SHOW_EVERY_MS) return;
    shownAt = performance.now();
    say(`${name}: ${done} of ${cases} cases`);
  });
  try {
    return JSON.parse(await finish(child, 'it')) as FuzzOutcome;
  } catch (error) {
    const seconds = (performance.now() - started) / 1_000;
    const failure = `${(error as Error).message} after ${done} cases of the seed ${seed}`;
    return { target: name, seed, cases: done, seconds, failure };
  } finally {
    clearTimeout(watchdog);
  }
}

task(TASK, async ({ name, folder, db, seed, cases }: TargetRun): Promise<FuzzOutcome> => {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  const own = join(folder, name);
  mkdirSync(own);
  const onProgress = (done: number): void => {
    process.send?.(done);
  };
  return await runTarget(target, { folder: own, db, seed, cases, onProgress });
});
