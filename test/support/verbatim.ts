/** Runs the built program as a user would: as a process, from dist/. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePath } from '../../src/bundle.ts';

/** For builds on a busy machine: see normal-priority.mjs. */
export const normalPriority = {
  NODE_OPTIONS: `--import=${pathToFileURL(resolve(import.meta.dirname, 'normal-priority.mjs'))}`,
};

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Exit code that is expected; another one rejects with all that was printed. */
  code?: number;
  /** A program and its arguments that runs it, in a namespace for example. */
  through?: readonly string[];
}

/** Runs one command to its end. */
export function runVerbatim(
  args: readonly string[],
  { env = {}, code: expected = 0, through = [] }: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const options = {
      // A second thread loads the model a second time, for each of some hundred small builds.
      env: { ...process.env, VERBATIM_EMBED_THREADS: '1', ...normalPriority, ...env },
      maxBuffer: 64 * 1024 * 1024,
    };
    const [program = '', ...rest] = [...through, process.execPath, bundlePath(), ...args];
    const child = execFile(...([program, rest, options] as const), (_error, stdout, stderr) => {
      const code = child.exitCode ?? -1;
      if (code === expected) resolve({ code, stdout, stderr });
      else reject(new Error(`verbatim ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`));
    });
  });
}

/** Runs one command with `--json` and returns what it printed. */
export async function runJson<Result>(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Result> {
  return JSON.parse((await runVerbatim([...args, '--json'], options)).stdout) as Result;
}
