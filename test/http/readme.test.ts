/** src/http/README.md describes the API word for word as /docs does. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  batchExample,
  curlFilter,
  curlSearch,
  healthExample,
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
import { sourceNames } from '../../src/identity/source-names.ts';
import { readSettings } from '../../src/settings/config.ts';
import { paperTypes } from '../../src/types.ts';
import { expectFilesToBeNamed, expectLinksToExist } from '../support/readme.ts';

const path = resolve(import.meta.dirname, '../../src/http/README.md');
const readme = readFileSync(path, 'utf8');

const ADDRESS = 'http://localhost:8080';
const repeats = requestExamples('repeats', ADDRESS).map(({ code }) => code);
const curls = (['batch', 'verify', 'paper', 'similar', 'usage'] as const).map(
  (section) => requestExamples(section, ADDRESS)[0]?.code ?? '',
);

describe('src/http/README.md', () => {
  it.each([
    ...[requestFields, filterFields, responseFields, responseHeaders, outcomeFields],
    ...[errors, connections],
    ...[verifyFields, paperParameters, paperFormats, paperFields, similarParameters],
    limits(readSettings({}, {})),
  ])('contains the table "$caption" of /docs', ({ heads, rows }) => {
    const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => cells.join(' | '));
    const [head, rule, ...body] = lines.map((line) => `| ${line} |`.replace(/ {2}\|$/, ' |'));
    expect(readme).toContain([head, rule?.replaceAll(' ', ''), ...body].join('\n'));
  });

  it.each([
    ...[curlSearch(ADDRESS), curlFilter(ADDRESS), ...repeats, ...curls],
    ...[responseExample, batchExample, usageExample, healthExample],
  ])('contains the example of /docs: %s', (example) => {
    expect(readme).toContain(example);
  });

  it('names every source and every type of a filter', () => {
    const row = (name: string): string =>
      filterFields.rows.find(([field]) => field === name)?.[2] ?? '';
    for (const source of sourceNames) expect(row('`source`')).toContain(`\`${source}\``);
    for (const type of paperTypes) expect(row('`type`')).toContain(`\`${type}\``);
  });

  it('contains every error that the service can return', () => {
    for (const [code, kind] of Object.entries(errorTable)) {
      if (!('status' in kind)) continue;
      const message = 'message' in kind ? kind.message.replaceAll('`', '') : '(';
      expect(readme).toContain(`| ${kind.status} | \`${code}\` | ${message}`);
    }
  });

  it.each([
    '/v1/search',
    '/v1/verify',
    '/v1/paper',
    '/v1/similar',
    '/v1/search/batch',
    '/v1/usage',
    '/health',
    '/health?live',
    '/webhooks/stripe',
  ])('describes the endpoint %s', (route) => {
    expect(readme).toContain(route);
  });

  it('links only to headings and files that exist', () => {
    expectLinksToExist(path);
  });

  it('names every file of its folder', () => {
    expectFilesToBeNamed(path);
  });
});
