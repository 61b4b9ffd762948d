/** The hints of all tools: they change nothing, and what they return is not known in advance. */
import type { ToolAnnotations } from '@modelcontextprotocol/server';

export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
