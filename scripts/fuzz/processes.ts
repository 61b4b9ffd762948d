/** Runs a target in a process of its own, and ends it if it hangs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startNode } from '../bench/processes.ts';
import { type FuzzOutcome, runTarget } from './run-target.ts';
import { targets } from './targets.ts';

/** The first argument of a process that runs a target. */
export const TARGET_ARGUMENT = 'target';
/** A batch that shows no progress for so long hangs. */
const PROGRESS_MS_MAX = 10 * 60_000;
const SHOW_EVERY_MS = 5_000;

export interface TargetRun {
  folder: string;
  seed: number;
  cases: number;
}

type Message = { done: number } | { outcome: FuzzOutcome };

/** Resolves with the outcome, also if the process hangs or dies: that is a failure of the target. */
export function startTarget(target: string, run: TargetRun): Promise<FuzzOutcome> {
  const { folder, seed, cases } = run;
  const args = [fileURLToPath(import.meta.url), TARGET_ARGUMENT, target, folder];
  const child = startNode([...args, String(seed), String(cases)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = performance.now();
  return new Promise((resolve) => {
    let done = 0;
    let shownAt = started;
    let outcome: FuzzOutcome | undefined;
    const watchdog = setTimeout(() => child.kill('SIGKILL'), PROGRESS_MS_MAX);
    if (child.stdout === null) throw new Error('the target prints elsewhere');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      watchdog.refresh();
      if ('outcome' in message) outcome = message.outcome;
      else done = message.done;
      if (performance.now() - shownAt < SHOW_EVERY_MS) return;
      shownAt = performance.now();
      process.stderr.write(`${target}: ${progress(done, cases, shownAt - started)}\n`);
    });
    child.once('close', (code, signal) => {
      clearTimeout(watchdog);
      const seconds = (performance.now() - started) / 1_000;
      const failure = `it ended with ${code ?? signal} after ${done} cases of the seed ${seed}`;
      resolve(outcome ?? { target, seed, cases: done, seconds, failure });
    });
  });
}

function progress(done: number, cases: number, milliseconds: number): string {
  const left = done === 0 ? 0 : ((cases - done) * milliseconds) / done;
  return `${done} of ${cases} cases, about ${Math.ceil(left / 60_000)} min left`;
}

/** Is the process of a target: prints a message per line. */
export async function performTarget(args: readonly string[]): Promise<void> {
  const [name, folder = '', seed, cases] = args;
  const target = targets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  const say = (message: Message): void => {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  };
  const own = join(folder, target.name);
  mkdirSync(own);
  const outcome = await runTarget(
    target,
    { folder: own },
    { seed: Number(seed), cases: Number(cases), onProgress: (done) => say({ done }) },
  );
  say({ outcome });
}
