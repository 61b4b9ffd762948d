/** The SDK's own clients, connected to a server or to a process of their own. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bundlePath } from '../../src/settings/bundle.ts';

/** `modern` speaks the specification of 2026-07-28, `legacy` those of 2025. */
export type Era = 'modern' | 'legacy';

function createClient(era: Era): Client {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

/** Connects over HTTP with a key. */
export async function connectOverHttp(
  url: string,
  secret: string,
  era: Era = 'modern',
): Promise<Client> {
  const client = createClient(era);
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

/** Starts `verbatim mcp` on a database and connects to it. */
export async function connectOverStdio(
  database: string,
  era: Era = 'modern',
): Promise<{ client: Client; transport: StdioClientTransport }> {
  const client = createClient(era);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bundlePath(), 'mcp', '--db', database],
    env: { VERBATIM_CONFIG: 'none' },
    stderr: 'pipe',
  });
  await client.connect(transport);
  return { client, transport };
}

/** The result of a tool as tests read it. */
export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** Calls a tool. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  return (await client.callTool({ name, arguments: args })) as unknown as ToolResult;
}
