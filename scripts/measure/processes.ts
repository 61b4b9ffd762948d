/** The processes that a measurement starts. None outlives it. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundlePath } from '../../src/settings/bundle.ts';

/** The first argument of a process that does a task. */
export const TASK_ARGUMENT = 'task';

const running = new Set<ChildProcess>();
const tasks = new Map<string, (input: never) => unknown>();

/** Kills all running processes. */
export function endProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Starts Node with these arguments. `through` is a program with its arguments that runs Node, such as
 * `taskset -c 0`.
 */
export function startNode(
  args: readonly string[],
  options: SpawnOptions,
  through: readonly string[] = [],
): ChildProcess {
  return startProcess([...through, process.execPath, ...args], options);
}

/** Starts any program with its arguments. */
export function startProcess(
  [program = '', ...args]: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const child = spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Returns a function that does the work in a process of its own, which shares this one's standard error.
 * A process never both opens a database and starts threads: threads run dist/verbatim.js with its own
 * copy of SQLite, and two copies in one process release each other's file locks.
 */
export function task<Input, Output>(
  name: string,
  work: (input: Input) => Output,
): (input: Input, through?: readonly string[]) => Promise<Awaited<Output>> {
  tasks.set(name, work);
  return async (input, through = []) => {
    // This module is part of the bundle of the measurement.
    const args = [fileURLToPath(import.meta.url), TASK_ARGUMENT, name];
    const child = startNode(args, { stdio: ['pipe', 'pipe', 'inherit'] }, through);
    child.stdin?.end(JSON.stringify(input));
    return JSON.parse(await finish(child, `the task ${name}`));
  };
}

/** Does a task: reads its input from standard input and writes its output as JSON. */
export async function performTask(name: string): Promise<void> {
  const work = tasks.get(name) as ((input: unknown) => unknown) | undefined;
  if (work === undefined) throw new Error(`there is no task ${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const output = await work(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  process.stdout.write(JSON.stringify(output ?? null));
}

/** Runs a `verbatim` command to its end. Returns what it printed. */
export function runVerbatim(args: readonly string[]): Promise<string> {
  const child = startNode([bundlePath(), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return finish(child, `verbatim ${args.slice(0, 2).join(' ')}`);
}

/** The same with `--json`. */
export async function runVerbatimJson<Result>(args: readonly string[]): Promise<Result> {
  return JSON.parse(await runVerbatim([...args, '--json'])) as Result;
}

/** Resolves with what a process printed when it ends with 0. Rejects otherwise. */
export function finish(child: ChildProcess, what: string): Promise<string> {
  let printed = '';
  let complaints = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${what} ended with ${code ?? signal}: ${printed}${complaints}`));
    });
  });
}
