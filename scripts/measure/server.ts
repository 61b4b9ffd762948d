/** Starts a real server from dist/ with the settings of the environment. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { bundlePath } from '../../src/settings/bundle.ts';
import type { Settings } from '../../src/settings/config.ts';
import { startNode } from './processes.ts';
import { Gone, until } from './until.ts';

/** How often, and how long, it is looked at while it starts and warms up. */
const WATCH = { intervalMs: 5, waitMsMax: 1_800_000 };
/** The end of its log, which is shown if it ends by itself. */
const LOG_CHARACTERS_KEPT = 2000;

export interface Server {
  port: number;
  /** Its address, as in `http://127.0.0.1:8080`. */
  url: string;
  /** The time from the start of the process to the first 200 from /health. */
  startMs: number;
  pid: number;
  /** Returns VmRSS, undefined if the system does not report it. */
  residentBytes(): number | undefined;
  /** Ends it with a signal, SIGTERM by default. Resolves with its exit code, null after SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export interface ServerOptions {
  /** Settings in addition to those of this process. */
  env?: Record<string, string>;
  /** Other limits than the program's constants. */
  limits?: Partial<Settings>;
  /** Gets each line of the log. */
  onLine?: (line: string) => void;
  /** A program with its arguments that runs the server, such as `taskset -c 0`. */
  through?: readonly string[];
  /** Where it listens on the loopback address; on a free port by default. */
  port?: number;
  /** Resolve when the server has warmed up, not already when it is healthy. True by default. */
  isWarmAwaited?: boolean;
}

/** Starts `verbatim serve`. Resolves when it has warmed up. */
export async function startServer(database: string, options: ServerOptions = {}): Promise<Server> {
  const { onLine, through = [] } = options;
  const started = performance.now();
  const spawned: SpawnOptions = {
    env: { ...process.env, ...environmentOf(options) },
    stdio: ['ignore', 'ignore', 'pipe'],
  };
  const child = startNode([bundlePath(), 'serve', '--db', database], spawned, through);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const eventOf = followLog(child, onLine);
  const port = Number((await eventOf('serving'))['port']);
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(url, child);
  const startMs = performance.now() - started;
  if (options.isWarmAwaited ?? true) await eventOf('warmed_up');
  return {
    port,
    url,
    startMs,
    pid: child.pid ?? 0,
    residentBytes: () => residentBytesOf(child.pid ?? 0),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

function environmentOf({ env = {}, limits, port = 0 }: ServerOptions) {
  const own: Record<string, string> = {
    VERBATIM_HOST: '127.0.0.1',
    VERBATIM_PORT: String(port),
    VERBATIM_METRICS_PORT: '0',
    ...env,
  };
  if (limits !== undefined) own['VERBATIM_TEST_LIMITS'] = JSON.stringify(limits);
  return own;
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  const isHealthy = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Gone(`the server ended with ${child.exitCode}`);
    return (await healthOf(url)).status === 200;
  };
  await until('the server is healthy', isHealthy, WATCH);
}

/** Returns what /health says. */
export async function healthOf(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) });
  return { status: response.status, text: await response.text() };
}

type LogEntry = Record<string, unknown>;

/**
 * Reads a server's log and passes each line on. Returns a function that resolves with the first
 * entry of an event, past or future. It rejects if the server ends first, or fails to warm up.
 */
function followLog(
  child: ChildProcess,
  onLine: (line: string) => void = () => {},
): (event: string) => Promise<LogEntry> {
  if (child.stderr === null) throw new Error('the log of the server goes elsewhere');
  const entries = new Map<unknown, LogEntry>();
  let log = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    onLine(line);
    log = `${log}${line}\n`.slice(-LOG_CHARACTERS_KEPT);
    const entry = parseEntry(line);
    if (!entries.has(entry['event'])) entries.set(entry['event'], entry);
  });
  return async (event) => {
    const isLogged = (): boolean => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (hasEnded || entries.has('warm_up_failed')) throw new Gone(`the server failed: ${log}`);
      return entries.has(event);
    };
    await until(`the server logs ${event}`, isLogged, WATCH);
    return entries.get(event) ?? {};
  };
}

/** Lines that are not JSON, such as Node's warnings, have no event. */
export function parseEntry(line: string): LogEntry {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** The resident memory of a process, or with `VmHWM` the most that it had. Undefined if it has ended. */
export function residentBytesOf(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS') {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(path, 'utf8'),
  )?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Watches a server's memory until `stop` is called, which returns the samples. */
export function sampleMemory(server: Server, intervalMs: number): { stop(): number[] } {
  const samples = [server.residentBytes() ?? 0];
  const sample = () => samples.push(server.residentBytes() ?? 0);
  const timer = setInterval(sample, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return samples;
    },
  };
}
