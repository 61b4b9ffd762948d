/** A real server from dist/, with the settings of the environment. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { bundlePath } from '../../src/bundle.ts';
import { connect } from './connection.ts';
import { startNode } from './processes.ts';

const HEALTH_INTERVAL_MS = 5;
/** Of its log, for the case that it ends by itself. */
const LOG_CHARACTERS_KEPT = 2000;

export interface Server {
  port: number;
  /** From the start of the process to the first 200 of /health. */
  startMs: number;
  /** VmRSS; undefined where the system does not tell. */
  residentBytes(): number | undefined;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings besides those of this process. */
  env?: Record<string, string>;
  /** Gets each line of the log. */
  onLine?: (line: string) => void;
}

/** Starts `verbatim serve` on any free port; resolves when it has warmed up. */
export async function startServer(
  database: string,
  { env = {}, onLine }: ServerOptions = {},
): Promise<Server> {
  const started = performance.now();
  const child = startNode([bundlePath(), 'serve', '--db', database], {
    env: { ...process.env, VERBATIM_HOST: '127.0.0.1', VERBATIM_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (onLine !== undefined && child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', onLine);
  }
  const warmedUp = readEvent(child, 'warmed_up');
  const port = Number((await readEvent(child, 'serving'))['port']);
  await untilHealthy(port);
  const startMs = performance.now() - started;
  await warmedUp;
  return {
    ...{ port, startMs },
    residentBytes: () => readResidentBytes(child.pid ?? 0),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function untilHealthy(port: number): Promise<void> {
  const connection = await connect(port);
  const request = Buffer.from('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  while ((await connection.send(request)).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, HEALTH_INTERVAL_MS));
  }
  connection.close();
}

/** The first line of the log that tells of an event. */
function readEvent(child: ChildProcess, event: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    let log = '';
    if (child.stderr === null) throw new Error('the log of the server goes elsewhere');
    createInterface({ input: child.stderr }).on('line', (line) => {
      log = `${log}${line}\n`.slice(-LOG_CHARACTERS_KEPT);
      if (line.includes(`"event":"${event}"`)) resolve(JSON.parse(line));
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
}

function readResidentBytes(pid: number): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
