/** What the log has: a line for each request, and nothing that a customer sent. */
import { describe, expect, it } from 'vitest';
import { createCustomer, createKey } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import { bearer, type Caller, type Got, getUsage, logged, search, send } from './contract.ts';

/** Words that nothing but our requests can bring into the log. */
const WORDS = ['quokkasaurus', 'xylophagous', 'kwyjibo', 'flibbertigibbet'];
const [QUERY, PATH, FIELD, HEADER] = WORDS as [string, string, string, string];
const JSON_TYPE = { 'content-type': 'application/json' };

let secrets: string[];
/** Of the key in use, and of the revoked one. */
let prefixes: [valid: string, revoked: string];
/** All answers by the method, path and status that their lines must have. */
const answers: { got: Got; line: Record<string, unknown> }[] = [];

const service = useService({
  fill: async (database) => {
    const valid = createCustomer(database);
    const revoked = await createKey(database);
    await runVerbatim(['key', 'revoke', revoked.prefix, '--db', database]);
    return { valid, revoked };
  },
  ready: async (service, { valid, revoked }) => {
    prefixes = [valid.prefix, revoked.prefix];
    secrets = [valid.secret, revoked.secret, `sk_live_${'9'.repeat(32)}`];
    await request({ url: service.url, secret: valid.secret });
    await requestWithoutAccess(revoked.secret);
  },
});

async function record(sending: Promise<Got>, method: string, path: string): Promise<void> {
  const got = await sending;
  answers.push({ got, line: { method, path, status: got.status, sent: true } });
}

async function request(caller: Caller): Promise<void> {
  const type = { headers: { 'content-type': `text/${HEADER}` } };
  const withQuery = `/v1/usage?q=${PATH}`;
  const headers = { ...bearer(caller.secret), 'user-agent': HEADER, 'x-request-id': HEADER };
  await record(search(caller, { query: QUERY }), 'POST', '/v1/search');
  await record(search(caller, { query: QUERY.repeat(200) }), 'POST', '/v1/search');
  await record(search(caller, { query: QUERY, limit: 0 }), 'POST', '/v1/search');
  await record(search(caller, { query: QUERY, fields: FIELD }), 'POST', '/v1/search');
  await record(search(caller, `{"query":"${QUERY}"`), 'POST', '/v1/search');
  await record(search(caller, { query: QUERY }, type), 'POST', '/v1/search');
  await record(getUsage(caller), 'GET', '/v1/usage');
  await record(send(service.url, { path: withQuery, headers }), 'GET', '/v1/usage');
}

async function requestWithoutAccess(revoked: string): Promise<void> {
  const url = service.url;
  const unknown = secrets[2] ?? '';
  await record(search({ url, secret: revoked }, { query: QUERY }), 'POST', '/v1/search');
  await record(search({ url, secret: unknown }, { query: QUERY }), 'POST', '/v1/search');
  await record(send(url, { path: `/${PATH}/${secrets[0]}` }), 'GET', '(unknown)');
  await record(send(url, { path: '/health', headers: JSON_TYPE }), 'GET', '/health');
  await record(send(url, { method: 'DELETE', path: '/v1/search' }), 'DELETE', '/v1/search');
}

describe('the log', () => {
  it('has one line per request, with the id of the response', async () => {
    await expect.poll(() => logged(service, 'request').length).toBe(answers.length);
    for (const { got, line } of answers) {
      const id = got.headers['x-request-id'];
      const lines = service.log.filter((entry) => entry['request_id'] === id);
      expect(lines).toEqual([
        {
          ...line,
          level: 'info',
          event: 'request',
          request_id: id,
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          milliseconds: expect.any(Number),
          ...(lines[0]?.['key'] === undefined ? {} : { key: expect.any(String) }),
        },
      ]);
    }
  });

  it('names the key by the prefix of its hash, also one that has ended', () => {
    const keys = answers.map(({ got }) => {
      const id = got.headers['x-request-id'];
      const line = service.log.find((entry) => entry['request_id'] === id);
      const isAdmitted = got.headers['ratelimit-limit'] !== undefined;
      if (isAdmitted) expect(line?.['key']).toBe(prefixes[0]);
      return line?.['key'];
    });
    expect(keys.filter((key) => key === prefixes[1])).toHaveLength(1);
    expect(keys.filter((key) => key === undefined)).toHaveLength(4);
  });

  it('contains no secret, no query, and nothing else from the customer', () => {
    const log = JSON.stringify(service.log);
    for (const word of WORDS) expect(log.toLowerCase()).not.toContain(word);
    for (const secret of secrets) expect(log).not.toContain(secret.slice('sk_live_'.length));
  });

  it('contains no quoted sentence', () => {
    const log = JSON.stringify(service.log);
    const { results } = JSON.parse(answers[0]?.got.text ?? '') as { results: { q: string }[] };
    expect(results.length).toBeGreaterThan(0);
    for (const { q } of results) expect(log).not.toContain(q.slice(0, 40));
  });

  it('consists of JSON lines only', () => {
    for (const entry of service.log) expect(entry).not.toHaveProperty('text');
  });
});
