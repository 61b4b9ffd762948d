/** Opens the MCP endpoint of a server. */
import type { RespondToMcp, ServiceDeps } from '../http/service-deps.ts';
import type { OpenIndex } from '../store/open-index.ts';

export interface McpEndpoint {
  respond: RespondToMcp;
  /** Loads the protocol's library, which takes the main thread some tenths of a second. */
  load(): Promise<unknown>;
}

/** Loads the library when it is told to, or else at the first request. */
export function openMcp(deps: () => ServiceDeps, index: Pick<OpenIndex, 'reading'>): McpEndpoint {
  let opening: Promise<RespondToMcp> | undefined;
  const load = (): Promise<RespondToMcp> => {
    opening ??= createEndpoint(deps(), index);
    return opening;
  };
  return { load, respond: async (call) => (await load())(call) };
}

async function createEndpoint(
  deps: ServiceDeps,
  index: Pick<OpenIndex, 'reading'>,
): Promise<RespondToMcp> {
  const { createMcpEndpoint } = await import('../mcp/endpoint.ts');
  const { createFindPaper } = await import('../mcp/find-paper.ts');
  const findPaperNow = index.reading(createFindPaper);
  return createMcpEndpoint(deps, (id) => findPaperNow()(id));
}
