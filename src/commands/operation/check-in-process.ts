/**
 * Runs the check of a backup in a process of its own. SQLite reads the whole file in one call, and
 * Ctrl-C must be able to end it.
 */
import { spawn } from 'node:child_process';
import { VerbatimError } from '../../errors.ts';
import { bundlePath } from '../../settings/bundle.ts';
import type { BackupCheck } from './check-backup.ts';

export interface CheckInProcessOptions {
  /** The name of the file in messages. */
  shownAs: string;
  signal: AbortSignal;
}

/** What is kept of the process's output. */
const OUTPUT_CHARACTERS_MAX = 1_000_000;

/**
 * Resolves to the result of `verbatim restore FILE --check`. Rejects with `interrupted` when the
 * signal comes, and with `verify_failed` if the file cannot be checked or has problems.
 */
export function checkInProcess(
  file: string,
  { shownAs, signal }: CheckInProcessOptions,
): Promise<BackupCheck> {
  const args = [bundlePath(), 'restore', file, '--check', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  const keep = (name: 'out' | 'err') => (text: string) => {
    output[name] = (output[name] + text).slice(0, OUTPUT_CHARACTERS_MAX);
  };
  child.stdout.setEncoding('utf8').on('data', keep('out'));
  child.stderr.setEncoding('utf8').on('data', keep('err'));
  const end = (): void => {
    child.kill('SIGKILL');
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      signal.removeEventListener('abort', end);
      const check = parse(output.out);
      if (signal.aborted) {
        reject(new VerbatimError('interrupted', 'interrupted; nothing was kept'));
      } else if (check?.problems.length === 0) resolve(check);
      else reject(failure(check, output.err.replaceAll(file, shownAs)));
    });
  });
}

function parse(text: string): BackupCheck | undefined {
  try {
    return JSON.parse(text) as BackupCheck;
  } catch {
    return undefined;
  }
}

function failure(check: BackupCheck | undefined, err: string): VerbatimError {
  const lastLine = err.trimEnd().split('\n').at(-1) ?? '';
  const reason = check?.problems[0] ?? lastLine.replace(/^verbatim: /, '');
  return new VerbatimError('verify_failed', reason);
}
