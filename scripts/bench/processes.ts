/** The processes that the benchmark starts. None outlives it. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundlePath } from '../../src/bundle.ts';
import type { Tasks } from './tasks.ts';

const running = new Set<ChildProcess>();

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

/** Runs a task in a process of its own, which shares the benchmark's standard error. */
export async function runTask<Name extends keyof Tasks>(
  name: Name,
  input: Parameters<Tasks[Name]>[0],
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const ownPath = fileURLToPath(import.meta.url);
  const child = startNode([ownPath, 'task', name], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin?.end(JSON.stringify(input));
  return JSON.parse(await finish(child, `the task ${name}`));
}

export interface CommandOptions {
  /** Shows its standard error. Otherwise it is part of the error of a failure. */
  isShown?: boolean;
}

/** Runs a `verbatim` command to its end. Returns what it printed. */
export function runVerbatim(
  args: readonly string[],
  { isShown = false }: CommandOptions = {},
): Promise<string> {
  const child = startNode([bundlePath(), ...args], {
    stdio: ['ignore', 'pipe', isShown ? 'inherit' : 'pipe'],
  });
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
