/** Opens the MCP endpoint of a server. */
import type { RespondToMcp, ServiceDeps } from '../http/service-deps.ts';
import type { IndexSource } from '../index/ports/index-source.ts';

export interface McpEndpoint {
  respond: RespondToMcp;
  /** Loads the protocol's library, which takes the main thread some tenths of a second. */
  load(): Promise<unknown>;
}

type Source = Pick<IndexSource, 'view'>;

/** Loads the library when it is told to, or else at the first request. */
export function openMcp(deps: () => ServiceDeps, source: Source): McpEndpoint {
  let opening: Promise<RespondToMcp> | undefined;
  const load = (): Promise<RespondToMcp> => {
    opening ??= createEndpoint(deps(), source);
    return opening;
  };
  return { load, respond: async (call) => (await load())(call) };
}

async function createEndpoint(deps: ServiceDeps, source: Source): Promise<RespondToMcp> {
  const { createMcpEndpoint } = await import('../mcp/endpoint.ts');
  const { createFindPaper } = await import('../search/papers/find-paper.ts');
  return createMcpEndpoint(deps, createFindPaper(source));
}
