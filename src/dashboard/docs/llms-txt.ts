/** The documentation for language models (llmstxt.org), made from the same tables as /docs. */
import {
  curlBatch,
  curlFilter,
  curlPaper,
  curlRepeat,
  curlSearch,
  curlSimilar,
  curlVerify,
} from './examples.ts';
import {
  paperFields,
  paperFormats,
  paperParameters,
  similarParameters,
  verifyFields,
} from './look-up-tables.ts';
import { operations } from './operations.ts';
import { type DocsTable, withoutLinks } from './table.ts';
import { errors, filterFields, outcomeFields, requestFields, responseFields } from './tables.ts';

/** Returns Markdown. `base` is the address of the server. */
export function createLlmsText(base: string): string {
  const calls = operations.map(
    ({ method, path, summary }) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`,
  );
  return [
    '# Verbatim',
    '> Literature search that quotes the one sentence of each paper that answers, word for word.',
    `Base address: ${base}. Every /v1/ call needs the header \`Authorization: Bearer sk_live_...\`. Errors are short texts with a code in \`X-Error-Code\`; wait the seconds in \`Retry-After\` before a retry. A call that fails costs nothing. Send a new \`Idempotency-Key\` with each POST: a repetition with the same key gets the same answer and is not charged again.`,
    calls.join('\n'),
    '## Search',
    markdown(requestFields),
    '### Filters',
    markdown(filterFields),
    example(curlSearch(base)),
    example(curlFilter(base)),
    markdown(responseFields),
    '## Batch',
    example(curlBatch(base)),
    markdown(outcomeFields),
    '## Repeats',
    example(curlRepeat(base)),
    '## Verify',
    markdown(verifyFields),
    example(curlVerify(base)),
    '## Papers',
    markdown(paperParameters),
    markdown(paperFormats),
    example(curlPaper(base)),
    markdown(paperFields),
    '## Similar papers',
    markdown(similarParameters),
    example(curlSimilar(base)),
    '## Errors',
    markdown(errors),
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

function example(code: string): string {
  return `\`\`\`sh\n${code}\n\`\`\``;
}

function markdown({ heads, rows }: DocsTable): string {
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => withoutLinks(`| ${cells.join(' | ')} |`))
    .join('\n');
}
