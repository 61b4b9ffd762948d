/** Puts the MCP server together: tools, resource template, and prompt over one backend. */
import { McpServer } from '@modelcontextprotocol/server';
import type { Backend } from './backend.ts';
import { addFetchTool } from './fetch-tool.ts';
import { addPaperResource } from './paper-resource.ts';
import { addQuotesPrompt } from './quotes-prompt.ts';
import { addSearchTool } from './search-tool.ts';
import { DATA_NOTICE } from './tool-result.ts';
import { addUsageTool } from './usage-tool.ts';
import { addVerifyTool } from './verify-tool.ts';

const INSTRUCTIONS = `Literature search. search quotes one sentence of each paper word for word; fetch returns one paper; verify tells whether quotes and references are real. ${DATA_NOTICE}`;

/** Returns a server for one connection, or for one request of a stateless transport. */
export function createMcpServer(backend: Backend): McpServer {
  const server = new McpServer(
    { name: 'verbatim', title: 'Verbatim', version: backend.version },
    {
      instructions: INSTRUCTIONS,
      // Nothing changes while the program runs, so no client needs to listen.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
    },
  );
  addSearchTool(server, backend);
  addFetchTool(server, backend);
  addVerifyTool(server, backend);
  if (backend.usage !== undefined) addUsageTool(server, backend.usage);
  addPaperResource(server, backend);
  addQuotesPrompt(server);
  return server;
}
