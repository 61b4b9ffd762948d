/** Runs a single file as a shell would. */
import { execFile } from 'node:child_process';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunFileOptions {
  env?: Record<string, string>;
  cwd?: string;
  through?: readonly string[];
}

/** Runs a file with no other environment than the given one. */
export function runFile(
  path: string,
  args: readonly string[],
  { env = {}, cwd = '/', through = [] }: RunFileOptions = {},
): Promise<Ran> {
  const [program = '', ...rest] = [...through, path, ...args];
  const options = { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env }, cwd };
  return new Promise((resolve) => {
    const child = execFile(program, rest, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
