/** src/http/README.md describes the API word for word as /docs does. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config.ts';
import {
  curlSearch,
  curlUsage,
  healthExample,
  responseExample,
  usageExample,
} from '../../src/dashboard/docs/examples.ts';
import {
  connections,
  errors,
  limits,
  requestFields,
  responseFields,
  responseHeaders,
} from '../../src/dashboard/docs/tables.ts';
import { errorTable } from '../../src/errors.ts';
import { expectFilesToBeNamed, expectLinksToExist } from '../support/readme.ts';

const path = resolve(import.meta.dirname, '../../src/http/README.md');
const readme = readFileSync(path, 'utf8');

describe('src/http/README.md', () => {
  it.each([
    ...[requestFields, responseFields, responseHeaders, errors, connections],
    limits(readSettings({}, {})),
  ])('contains the table "$caption" of /docs', ({ heads, rows }) => {
    const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => cells.join(' | '));
    const [head, rule, ...body] = lines.map((line) => `| ${line} |`.replace(/ {2}\|$/, ' |'));
    expect(readme).toContain([head, rule?.replaceAll(' ', ''), ...body].join('\n'));
  });

  it.each([
    curlSearch('http://localhost:8080'),
    curlUsage('http://localhost:8080'),
    ...[responseExample, usageExample, healthExample],
  ])('contains the example of /docs: %s', (example) => {
    expect(readme).toContain(example);
  });

  it('contains every error that the service can return', () => {
    for (const [code, kind] of Object.entries(errorTable)) {
      if (!('status' in kind)) continue;
      const message = 'message' in kind ? kind.message.replaceAll('`', '') : '(';
      expect(readme).toContain(`| ${kind.status} | \`${code}\` | ${message}`);
    }
  });

  it.each(['/v1/search', '/v1/usage', '/health', '/health?live', '/webhooks/stripe'])(
    'describes the endpoint %s',
    (route) => {
      expect(readme).toContain(route);
    },
  );

  it('links only to headings and files that exist', () => {
    expectLinksToExist(path);
  });

  it('names every file of its folder', () => {
    expectFilesToBeNamed(path);
  });
});
