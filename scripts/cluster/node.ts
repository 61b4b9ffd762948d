/** A Verbatim server of the cluster, which can be killed and started again. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bundlePath } from '../../src/bundle.ts';
import { startNode } from '../bench/processes.ts';
import type { CuttablePlace, NodePlace } from './network.ts';
import { Gone, until } from './until.ts';

export interface ClusterNode {
  name: string;
  place: NodePlace | CuttablePlace;
  /** Starts it. Resolves when it is ready. */
  start(): Promise<void>;
  processId(): number;
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** The lines of its log that tell of a defect. */
  defects(): string[];
}

export interface NodeOptions {
  name: string;
  place: NodePlace | CuttablePlace;
  /** The address of the accounts. */
  accounts: string;
  /** A file of its own, which has neither accounts nor an index. */
  database: string;
  index: NodeIndex;
  leaseMs: number;
}

/** A folder of copies, or the address of an index on PostgreSQL. */
export type NodeIndex = { copies: string } | { address: string };

/** The end of its log, which is shown if it ends by itself. */
const LOG_CHARACTERS_KEPT = 2_000;
/** Errors of the log that a kill explains. */
const EXPECTED = new Set(['degraded']);

export function createClusterNode(options: NodeOptions): ClusterNode {
  const { name, place, database } = options;
  const defects: string[] = [];
  let log = '';
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child?.kill(signal);
    await ended;
  };
  return {
    name,
    place,
    async start() {
      const args = [bundlePath(), 'serve', '--db', database];
      child = startNode(
        args,
        { env: settingsOf(options), stdio: ['ignore', 'ignore', 'pipe'] },
        place.through,
      );
      ended = new Promise((resolve) => child?.once('exit', resolve));
      if (child.stderr) {
        createInterface({ input: child.stderr }).on('line', (line) => {
          log = `${log}${line}\n`.slice(-LOG_CHARACTERS_KEPT);
          if (isDefect(line)) defects.push(`${name}: ${line}`);
        });
      }
      const { host, port } = place;
      await until(`${name} is ready`, async () => {
        if (child?.exitCode !== null) throw new Gone(`${name} ended: ${log}`);
        return (await fetch(`http://${host}:${port}/health`)).status === 200;
      });
    },
    processId: () => child?.pid ?? 0,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    defects: () => defects,
  };
}

function settingsOf({ place, accounts, index, leaseMs }: NodeOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    VERBATIM_CONFIG: 'none',
    VERBATIM_HOST: place.host,
    VERBATIM_PORT: String(place.port),
    VERBATIM_METRICS_PORT: '0',
    VERBATIM_ACCOUNTS: accounts,
    ...('copies' in index
      ? { VERBATIM_READ_ONLY_INDEX: index.copies }
      : { VERBATIM_INDEX: index.address }),
    VERBATIM_NODE_LEASE_MS: String(leaseMs),
    VERBATIM_ACCOUNT_CONNECT_TIMEOUT_MS: String(leaseMs / 4),
    VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS: String(leaseMs / 2),
    VERBATIM_PROXIES_TRUSTED: '1',
    VERBATIM_SEARCH_THREADS: '1',
  };
}

function isDefect(line: string): boolean {
  try {
    const { level, event } = JSON.parse(line) as { level?: string; event?: string };
    return level === 'error' && !EXPECTED.has(event ?? '');
  } catch {
    // Node prints what ends it as text.
    return /Error|FATAL/.test(line);
  }
}
