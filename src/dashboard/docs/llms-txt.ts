/** The documentation for language models (llmstxt.org), made from the same sections as /docs. */
import { sectionMarkdown } from './markdown.ts';
import { operations } from './operations.ts';
import { type Part, sectionsOf } from './sections.ts';
import { withoutLinks } from './table.ts';
import type { LimitSettings } from './tables.ts';

/** Returns Markdown. `base` is the address of the server. */
export function createLlmsText(base: string, settings: LimitSettings): string {
  const calls = operations.map(
    ({ method, path, summary }) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`,
  );
  const sections = sectionsOf(base, settings).map((section) => sectionMarkdown(section, isShort));
  return [
    '# Verbatim',
    '> Literature search that quotes the one sentence of each paper that answers, word for word.',
    `Base address: ${base}. A call that fails costs nothing.`,
    calls.join('\n'),
    withoutLinks(sections.join('\n\n')),
    '## Documents',
    [
      `- [OpenAPI](${base}/openapi.json): this API in OpenAPI 3.1`,
      `- [Documentation](${base}/docs): the same for people`,
      `- [MCP](${base}/mcp): the Model Context Protocol over HTTP, with the same key`,
    ].join('\n'),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

/** Requests are shown with curl alone. */
function isShort(part: Part): boolean {
  return typeof part === 'string' || !('code' in part) || part.language === 'sh';
}
