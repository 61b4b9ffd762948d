/** Starts a real server from dist/ with the settings of the environment. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { bundlePath } from '../../src/bundle.ts';
import { connect } from './connection.ts';
import { startNode } from './processes.ts';

const HEALTH_INTERVAL_MS = 5;
/** The end of its log, which is shown if it ends by itself. */
const LOG_CHARACTERS_KEPT = 2000;

export interface Server {
  port: number;
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
  /** Gets each line of the log. */
  onLine?: (line: string) => void;
  /** A program with its arguments that runs the server, such as `taskset -c 0`. */
  through?: readonly string[];
  /** Arguments for Node itself, such as `--cpu-prof`. */
  nodeArguments?: readonly string[];
  /** Resolve when the server has warmed up, not already when it is healthy. True by default. */
  isWarmAwaited?: boolean;
}

/** Starts `verbatim serve` on a free port. Resolves when it has warmed up. */
export async function startServer(
  database: string,
  { env = {}, onLine, through = [], nodeArguments = [], isWarmAwaited = true }: ServerOptions = {},
): Promise<Server> {
  const started = performance.now();
  const options: SpawnOptions = {
    env: {
      ...process.env,
      VERBATIM_HOST: '127.0.0.1',
      VERBATIM_PORT: '0',
      VERBATIM_METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  };
  const args = [...nodeArguments, bundlePath(), 'serve', '--db', database];
  const child = startNode(args, options, through);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const eventOf = followLog(child, onLine);
  const port = Number((await eventOf('serving'))['port']);
  await untilHealthy(port);
  const startMs = performance.now() - started;
  if (isWarmAwaited) await eventOf('warmed_up');
  return {
    port,
    startMs,
    pid: child.pid ?? 0,
    residentBytes: () => readResidentBytes(child.pid ?? 0),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
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
  const news = new EventEmitter();
  let log = '';
  let failure: Error | undefined;
  const fail = (what: string): void => {
    failure ??= new Error(`the server ${what}: ${log}`);
    news.emit('news');
  };
  createInterface({ input: child.stderr }).on('line', (line) => {
    onLine(line);
    log = `${log}${line}\n`.slice(-LOG_CHARACTERS_KEPT);
    const entry = parseEntry(line);
    if (!entries.has(entry['event'])) entries.set(entry['event'], entry);
    if (entry['event'] === 'warm_up_failed') fail('did not warm up');
    news.emit('news');
  });
  child.once('exit', (code) => fail(`ended with ${code}`));
  return async (event) => {
    for (;;) {
      const entry = entries.get(event);
      if (entry !== undefined) return entry;
      if (failure !== undefined) throw failure;
      await once(news, 'news');
    }
  };
}

/** Lines that are not JSON, such as Node's warnings, have no event. */
function parseEntry(line: string): LogEntry {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

function readResidentBytes(pid: number): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
