/** The resource template of papers. Reading one is a fetch and costs the same. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { VerbatimError } from '../errors.ts';
import type { Backend } from './backend.ts';
import { describePaper } from './fetch-tool.ts';
import { PAPER_URI_TEMPLATE } from './paper-uri.ts';
import { priceOf } from './tool-price.ts';
import { describeFailure } from './tool-result.ts';

/** Adds the template to a server. */
export function addPaperResource(server: McpServer, backend: Backend): void {
  server.registerResource(
    'paper',
    new ResourceTemplate(PAPER_URI_TEMPLATE, { list: undefined }),
    {
      title: 'Paper',
      description: `A paper of the index by its id, percent-encoded. ${priceOf(backend)}`,
      mimeType: 'application/json',
    },
    async ({ href: uri }, { id }) => {
      try {
        const text = JSON.stringify(describePaper(await backend.fetch(decode(String(id)))));
        return { contents: [{ uri, mimeType: 'application/json', text }] };
      } catch (error) {
        throw toProtocolError(error, uri);
      }
    },
  );
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function toProtocolError(error: unknown, uri: string): ProtocolError {
  const code = error instanceof VerbatimError ? error.code : 'internal';
  const text = describeFailure(error);
  if (code === 'not_found') return new ResourceNotFoundError(uri, text);
  return new ProtocolError(ProtocolErrorCode.InternalError, text, { code });
}
