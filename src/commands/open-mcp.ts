/** Opens the MCP endpoint of a server. */
import type { RespondToMcp, ServiceDeps } from '../http/service-deps.ts';
import type { Connection } from '../store/database/connection.ts';

/** Loads the protocol's library at the first request, because most servers get none. */
export function openMcpOnDemand(deps: () => ServiceDeps, db: Connection): RespondToMcp {
  let opening: Promise<RespondToMcp> | undefined;
  return async (call) => {
    opening ??= openMcp(deps(), db);
    return (await opening)(call);
  };
}

async function openMcp(deps: ServiceDeps, db: Connection): Promise<RespondToMcp> {
  const { createMcpEndpoint } = await import('../mcp/endpoint.ts');
  const { createFindPaper } = await import('../mcp/find-paper.ts');
  return createMcpEndpoint(deps, createFindPaper(db));
}
