/** A Verbatim server of the cluster, which can be killed and started again. */
import type { CuttableLink } from '../../test/accounts/postgres/cuttable-link.ts';
import { parseEntry, type Server, startServer } from '../measure/server.ts';

/**
 * How long a node counts as alive after its last sign. A third of the default, so that trials are short.
 * It is longer than whatever a renewal may wait for.
 */
export const LEASE_MS = 10_000;

export interface ClusterNode {
  name: string;
  port: number;
  /** Its connections to the accounts. */
  link: CuttableLink;
  /** Starts it. Resolves when it is ready. */
  start(): Promise<void>;
  kill(): Promise<unknown>;
  /** Ends it in order. */
  stop(): Promise<unknown>;
  /** The lines of its log that tell of a defect. */
  defects(): string[];
}

interface NodeOptions extends Pick<ClusterNode, 'name' | 'port' | 'link'> {
  /** A file of its own, which has neither accounts nor an index. */
  database: string;
  /** The folder with copies of the index. */
  copies: string;
}

export function createClusterNode(options: NodeOptions): ClusterNode {
  const { name, port, link, database, copies } = options;
  const defects: string[] = [];
  let server: Server | undefined;
  const env = {
    VERBATIM_CONFIG: 'none',
    VERBATIM_ACCOUNTS: link.url,
    VERBATIM_NODE_LEASE_MS: String(LEASE_MS),
    VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS: String(LEASE_MS / 2),
    VERBATIM_PROXIES_TRUSTED: '1',
    VERBATIM_SEARCH_THREADS: '1',
    VERBATIM_READ_ONLY_INDEX: copies,
  };
  return {
    name,
    port,
    link,
    async start() {
      const onLine = (line: string): void => {
        if (isDefect(line)) defects.push(`${name}: ${line}`);
      };
      const limits = { accountConnectTimeoutMs: LEASE_MS / 4 };
      server = await startServer(database, { port, env, limits, onLine, isWarmAwaited: false });
    },
    kill: async () => await server?.stop('SIGKILL'),
    async stop() {
      await server?.stop();
      await link.close();
    },
    defects: () => defects,
  };
}

/** An error that no kill explains. Node prints what ends it as text. */
function isDefect(line: string): boolean {
  const { level, event } = parseEntry(line);
  return level === undefined ? /Error|FATAL/.test(line) : level === 'error' && event !== 'degraded';
}
