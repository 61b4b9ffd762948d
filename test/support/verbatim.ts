/** Runs the built program as a user would: as a process, from dist/. */
import { execFile } from 'node:child_process';
import { vi } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';

/** For a command that shows which settings the environment changes: vitest.config.ts sets these. */
export const nothingSet = {
  VERBATIM_WARM_UP_SEARCHES: undefined,
  VERBATIM_FILE_CHECK_INTERVAL_HOURS: undefined,
  VERBATIM_EMBED_THREADS: undefined,
  VERBATIM_BUILD_NICENESS: undefined,
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
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    };
    const [program = '', ...rest] = [...through, process.execPath, bundlePath(), ...args];
    const child = execFile(program, rest, options, (_error, stdout, stderr) => {
      const code = child.exitCode ?? -1;
      if (code === expected) resolve({ code, stdout, stderr });
      else reject(new Error(`verbatim ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`));
    });
  });
}

let lastCommand: Promise<unknown> = Promise.resolve();

/** Variables of the environment; undefined: not set. */
type CommandEnv = Readonly<Record<string, string | undefined>>;

interface CommandOptions extends Pick<RunOptions, 'code'> {
  env?: CommandEnv;
}

/**
 * Runs one command in this process: ten times as fast from the fourth command of a file on, for
 * tests that are not about the process.
 * Commands wait for each other, because what they print is caught from the process's own streams.
 */
export function runCommand(
  args: readonly string[],
  { env = {}, code: expected = 0 }: CommandOptions = {},
): Promise<Finished> {
  const finished = lastCommand.then(async () => {
    // The whole program, which takes seconds to load: most tests run no command.
    const { runCommandLine } = await import('../../src/commands/command-line.ts');
    const restoreEnv = changeEnv(env);
    const stdout = catchWrites(process.stdout);
    const stderr = catchWrites(process.stderr);
    let code: number;
    try {
      code = await runCommandLine([process.execPath, 'verbatim', ...args]);
    } finally {
      stdout.restore();
      stderr.restore();
      restoreEnv();
    }
    const [out, err] = [stdout.text(), stderr.text()];
    if (code === expected) return { code, stdout: out, stderr: err };
    throw new Error(`verbatim ${args.join(' ')} returned ${code}: ${out}${err}`);
  });
  lastCommand = finished.catch(() => {});
  return finished;
}

/** Sets variables of this process. Returns what sets them back. */
function changeEnv(changed: CommandEnv): () => void {
  const before = Object.keys(changed).map((name) => [name, process.env[name]] as const);
  const set = (values: readonly (readonly [name: string, value: string | undefined])[]): void => {
    for (const [name, value] of values) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  set(Object.entries(changed));
  return () => set(before);
}

function catchWrites(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  const pieces: string[] = [];
  const spy = vi.spyOn(stream, 'write').mockImplementation((piece, ...rest: unknown[]) => {
    pieces.push(typeof piece === 'string' ? piece : Buffer.from(piece).toString());
    const callback = rest.find((value) => typeof value === 'function');
    callback?.();
    return true;
  });
  return { text: () => pieces.join(''), restore: () => spy.mockRestore() };
}

/** Runs one command with `--json` as `runVerbatim` does, and returns what it printed. */
export async function runJson<Result>(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Result> {
  return JSON.parse((await runVerbatim([...args, '--json'], options)).stdout) as Result;
}

/** Runs one command with `--json` as `runCommand` does, and returns what it printed. */
export async function runCommandJson<Result>(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Result> {
  return JSON.parse((await runCommand([...args, '--json'], options)).stdout) as Result;
}
