/** A Verbatim server of the cluster, which can be killed and started again. */
import { parseEntry, type Server, startServer } from '../measure/server.ts';
import type { CuttablePlace, NodePlace } from './network.ts';

export interface ClusterNode {
  name: string;
  place: NodePlace | CuttablePlace;
  /** Starts it. Resolves when it is ready. */
  start(): Promise<void>;
  processId(): number;
  kill(): Promise<unknown>;
  /** Ends it in order. */
  stop(): Promise<unknown>;
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
  /** The setting that says where the index is: a folder of copies, or an address on PostgreSQL. */
  index: Record<string, string>;
  leaseMs: number;
}

export function createClusterNode(options: NodeOptions): ClusterNode {
  const { name, place, database, accounts, index, leaseMs } = options;
  const defects: string[] = [];
  let server: Server | undefined;
  const env = {
    VERBATIM_CONFIG: 'none',
    VERBATIM_ACCOUNTS: accounts,
    VERBATIM_NODE_LEASE_MS: String(leaseMs),
    VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS: String(leaseMs / 2),
    VERBATIM_PROXIES_TRUSTED: '1',
    VERBATIM_SEARCH_THREADS: '1',
    ...index,
  };
  return {
    name,
    place,
    async start() {
      const onLine = (line: string): void => {
        if (isDefect(line)) defects.push(`${name}: ${line}`);
      };
      const limits = { accountConnectTimeoutMs: leaseMs / 4 };
      const where = { host: place.host, port: place.port, through: place.through };
      server = await startServer(database, { ...where, env, limits, onLine, isWarmAwaited: false });
    },
    processId: () => server?.pid ?? 0,
    kill: async () => await server?.stop('SIGKILL'),
    stop: async () => await server?.stop(),
    defects: () => defects,
  };
}

/** An error that no kill explains. Node prints what ends it as text. */
function isDefect(line: string): boolean {
  const { level, event } = parseEntry(line);
  return level === undefined ? /Error|FATAL/.test(line) : level === 'error' && event !== 'degraded';
}
