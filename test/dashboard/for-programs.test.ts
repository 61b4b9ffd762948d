/** What programs read: whole, valid, and true to the tables and to the server. */
import { describe, expect, it } from 'vitest';
import {
  changesAnswer,
  changesParameters,
  paperFields,
  paperFormats,
  paperParameters,
  similarParameters,
  verifyFields,
} from '../../src/dashboard/docs/look-up-tables.ts';
import { createOpenApi } from '../../src/dashboard/docs/openapi.ts';
import { operations } from '../../src/dashboard/docs/operations.ts';
import { textsByName } from '../../src/dashboard/docs/schema.ts';
import {
  errors,
  requestFields,
  responseFields,
  responseHeaders,
} from '../../src/dashboard/docs/tables.ts';
import { send } from '../http/contract.ts';
import { expectDescribed } from '../support/openapi.ts';
import { useService } from '../support/use-service.ts';

const service = useService();

describe('/openapi.json', () => {
  it('is served to everyone, compressed for those who ask', async () => {
    const got = await send(service.url, { path: '/openapi.json' });
    expect(got.status).toBe(200);
    expect(got.headers['content-type']).toBe('application/json');
    const { version } = JSON.parse((await send(service.url, { path: '/health' })).text);
    const document = createOpenApi(service.url.replace('127.0.0.1', 'localhost'), version);
    expect(JSON.parse(got.text)).toEqual(JSON.parse(JSON.stringify(document)));
    const packed = await send(service.url, {
      path: '/openapi.json',
      headers: { 'accept-encoding': 'br' },
    });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.bytes.length).toBeLessThan(got.bytes.length / 3);
  });

  const document = createOpenApi('http://localhost:8080', '0');
  const everything = JSON.stringify(document);

  it.each([
    ...[requestFields, responseFields, responseHeaders, verifyFields],
    ...[paperParameters, paperFields, similarParameters, changesParameters, changesAnswer],
  ])('has every name of the table "$caption"', (table) => {
    for (const name of textsByName(table).keys()) expect(everything).toContain(`"${name}"`);
  });

  it('has every error of the table with its status', () => {
    for (const [status = '', code = ''] of errors.rows) {
      const response = JSON.stringify(document.components.responses[`Error${status}`]);
      expect(response).toContain(code.replaceAll('`', '"'));
    }
  });

  it('has every media type of papers', () => {
    const paper = operations.find(({ path }) => path === '/v1/paper');
    const types = Object.keys(paper?.answers ?? {});
    expect(types).toEqual(paperFormats.rows.map(([type = '']) => type.replaceAll('`', '')));
  });

  it('has no reference that leads nowhere', () => {
    const targets = [...everything.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)];
    expect(targets.length).toBeGreaterThan(50);
    for (const [target, kind, name] of targets) {
      const kept = document.components[kind as keyof typeof document.components];
      expect(kept, target).toHaveProperty(name ?? '');
    }
  });
});

describe('the check of what the tests send and get', () => {
  const usage = { period: '2026-11', requests: 1, credits: 1, balance: 9 };
  const exchange = {
    method: 'GET',
    path: '/v1/usage',
    sent: undefined,
    status: 200,
    headers: { 'content-type': 'application/json', 'x-request-id': 'a' },
    text: JSON.stringify(usage),
  };

  it('accepts what the document describes', () => {
    expect(() => expectDescribed(exchange)).not.toThrow();
  });

  it.each([
    ['a field that is missing', { text: JSON.stringify({ ...usage, balance: undefined }) }],
    ['a field of another type', { text: JSON.stringify({ ...usage, balance: 'nine' }) }],
    ['a field that is not described', { text: JSON.stringify({ ...usage, debt: 1 }) }],
    ['a status that is not described', { status: 418 }],
    [
      'a type that is not described',
      { headers: { ...exchange.headers, 'content-type': 'text/html' } },
    ],
    [
      'a parameter that is not described',
      { path: '/v1/similar?id=a&ids=b', text: '{"n":0,"c":0,"results":[]}' },
    ],
    ['a missing parameter', { path: '/v1/similar', text: '{"n":0,"c":0,"results":[]}' }],
  ])('refuses %s', (_, changed) => {
    expect(() => expectDescribed({ ...exchange, ...changed })).toThrow();
  });
});

describe('/llms.txt', () => {
  it('names every call, and the address of the server', async () => {
    const got = await send(service.url, { path: '/llms.txt' });
    expect(got.status).toBe(200);
    expect(got.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(got.text).toMatch(/^# Verbatim\n\n> /);
    expect(got.text).toContain(`curl -s http://localhost:${new URL(service.url).port}/v1/search`);
    expect(got.text).not.toContain('](..');
    for (const [path, methods] of Object.entries(createOpenApi('', '').paths)) {
      for (const method of Object.keys(methods)) {
        expect(got.text).toContain(`\`${method.toUpperCase()} ${path}\``);
      }
    }
  });
});

describe('/robots.txt', () => {
  it('leaves the pages of customers and the API alone', async () => {
    const got = await send(service.url, { path: '/robots.txt' });
    expect([got.status, got.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(got.text).toBe('User-agent: *\nDisallow: /dashboard\nDisallow: /v1/\n');
  });
});

it('/.well-known/security.txt is not there without a contact', async () => {
  expect((await send(service.url, { path: '/.well-known/security.txt' })).status).toBe(404);
});
