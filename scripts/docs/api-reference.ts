/** The text of src/http/API.md, made from the tables and examples of the page /docs. */
import {
  batchExample,
  curlFilter,
  type Example,
  healthExample,
  quickStart,
  requestExamples,
  responseExample,
  usageExample,
} from '../../src/dashboard/docs/examples.ts';
import {
  paperFields,
  paperFormats,
  paperParameters,
  similarParameters,
  verifyFields,
} from '../../src/dashboard/docs/look-up-tables.ts';
import { operations } from '../../src/dashboard/docs/operations.ts';
import type { DocsTable } from '../../src/dashboard/docs/table.ts';
import {
  connections,
  errors,
  filterFields,
  limits,
  outcomeFields,
  requestFields,
  responseFields,
  responseHeaders,
} from '../../src/dashboard/docs/tables.ts';
import { errorTable } from '../../src/errors.ts';
import { readSettings } from '../../src/settings/config.ts';
import { codeBlock, generatedFrom, markdownTable } from './markdown.ts';

const ADDRESS = 'http://localhost:8080';

const intro = `${generatedFrom('the tables of the page /docs')}

# HTTP API: reference

[README](README.md) says how calls, credit, repeats, and errors work. \`VERBATIM_KEY\` is a key of yours.`;

/** The whole file. */
export function apiReference(): string {
  const parts = [
    ...[intro, ...lookUps(), '## Usage', call('usage')],
    ...[requests('usage'), response(usageExample), '## Health', call('health')],
    ...[codeBlock('text', healthExample), '## Headers', table(responseHeaders)],
    ...['## Errors', table(errors), 'Further errors of pages and the webhook:', furtherErrors()],
    ...['## Limits', 'These are the defaults.', table(limits(readSettings({}, {})))],
    ...['## Connections', table(connections)],
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The paid calls. */
function lookUps(): string[] {
  return [
    ...['## Search', call('search'), table(requestFields), examples(quickStart(ADDRESS))],
    ...[response(responseExample), table(responseFields)],
    ...['## Filters', table(filterFields), codeBlock('sh', curlFilter(ADDRESS))],
    ...['## Batch', call('batch'), requests('batch')],
    ...[response(batchExample), table(outcomeFields), '## Repeats', requests('repeats')],
    ...['## Verify', call('verify'), table(verifyFields), requests('verify'), '## Papers'],
    ...[call('paper'), table(paperParameters), table(paperFormats), table(paperFields)],
    ...[requests('paper'), '## Similar papers', call('similar'), table(similarParameters)],
    requests('similar'),
  ];
}

/** One line about an operation. */
function call(id: string): string {
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  const { method, path, summary } = operation;
  return `\`${method.toUpperCase()} ${path}\`. ${summary}`;
}

function requests(section: Parameters<typeof requestExamples>[0]): string {
  return examples(requestExamples(section, ADDRESS));
}

function examples(all: readonly Example[]): string {
  return all
    .map(({ label, code }) => `${label}:\n\n${codeBlock(languageOf(label), code)}`)
    .join('\n\n');
}

function languageOf(label: string): string {
  if (label.includes('Python')) return 'python';
  return label.includes('curl') ? 'sh' : 'ts';
}

function response(code: string): string {
  return `Response:\n\n${codeBlock('json', code)}`;
}

function table({ caption, heads, rows }: DocsTable): string {
  return `${caption}:\n\n${markdownTable(heads, rows)}`;
}

/** The errors with a status that the table of the API does not have. */
function furtherErrors(): string {
  const known = new Set(errors.rows.map(([, code]) => code));
  const rows = Object.entries(errorTable).flatMap(([code, kind]) => {
    if (!('status' in kind) || known.has(`\`${code}\``)) return [];
    const message = 'message' in kind ? kind.message : '(says what is wrong)';
    return [[`${kind.status}`, `\`${code}\``, message]];
  });
  return markdownTable(
    ['status', 'code', 'message'],
    rows.sort(([a], [b]) => Number(a) - Number(b)),
  );
}
