/** Runs commands of Verbatim as processes, and measures their memory. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundlePath } from '../../src/bundle.ts';

const POLL_MS = 100;

export interface Measured<Report> {
  report: Report;
  seconds: number;
  /** The peak resident memory of the process, in bytes. */
  residentBytesMax: number;
}

/** Runs a command of Verbatim with `--json` and waits for its end. Its progress goes to stderr. */
export async function measure<Report>(args: readonly string[]): Promise<Measured<Report>> {
  const started = performance.now();
  const child = spawn(process.execPath, [bundlePath(), ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (): boolean => child.kill('SIGKILL');
  process.once('exit', stop);
  let residentBytesMax = 0;
  const timer = setInterval(() => {
    residentBytesMax = Math.max(residentBytesMax, residentBytesMaxOf(child.pid ?? 0));
  }, POLL_MS);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(timer));
  process.removeListener('exit', stop);
  if (code !== 0) throw new Error(`verbatim ${args.join(' ')} exited with ${code}`);
  const seconds = (performance.now() - started) / 1000;
  return { report: JSON.parse(printed) as Report, seconds, residentBytesMax };
}

/** The peak so far, according to Linux. 0 if the process has ended. */
function residentBytesMaxOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
