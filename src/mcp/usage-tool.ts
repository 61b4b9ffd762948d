/** The tool `usage`: what the key has used this month, and what is left. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { UsageReport } from '../http/usage-endpoint.ts';
import { readOnly } from './read-only.ts';
import { toolOf } from './tool-result.ts';

const inputSchema = fromJsonSchema<Record<string, never>>({
  type: 'object',
  // Some clients refuse a schema without it.
  properties: {},
  additionalProperties: false,
});

const outputSchema = fromJsonSchema({
  type: 'object',
  properties: {
    period: { type: 'string', description: 'The month, in UTC' },
    requests: { type: 'integer' },
    credits: { type: 'integer', description: 'Credits used in this month' },
    balance: { type: 'integer', description: 'Credits left' },
  },
  required: ['period', 'requests', 'credits', 'balance'],
});

/** Adds the tool to a server. */
export function addUsageTool(server: McpServer, usage: () => Promise<UsageReport>): void {
  server.registerTool(
    'usage',
    {
      title: 'Show usage',
      description: 'Credits used this month and credits left. Free.',
      inputSchema,
      outputSchema,
      annotations: readOnly,
    },
    toolOf(async () => ({ ...(await usage()) })),
  );
}
