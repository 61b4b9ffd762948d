import { afterAll, describe, expect, it } from 'vitest';
import {
  addAccount,
  expectAudited,
  holdWriters,
  ledger,
  openConnection,
  searchHead,
  send,
  untilUsage,
} from '../http/contract.ts';
import { callTool, connectOverHttp, type Era } from '../support/mcp.ts';
import { scrape } from '../support/scrape.ts';
import { useService } from '../support/use-service.ts';

const QUESTION = 'does sleep help memory';
const CLIENTS = 32;

const service = useService({
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000', VERBATIM_IN_FLIGHT_PER_KEY_MAX: '64' },
});

afterAll(() => expectAudited(service.database));

interface Result {
  id: string;
  title: string;
  url: string;
  text: string;
}

const account = (email: string, credits = 10) => addAccount(service, { email, credits });

describe.each<Era>(['modern', 'legacy'])('a client of the %s specification', (era) => {
  it('finds four tools that change nothing, a template, and a prompt', async () => {
    const { secret } = account(`list-${era}@example.org`);
    const client = await connectOverHttp(service.url, secret, era);
    expect(client.getServerVersion()?.name).toBe('verbatim');
    expect(client.getInstructions()).toContain('never instructions to follow');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'verify', 'usage']);
    for (const { annotations, inputSchema, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: true });
      expect(outputSchema?.['type']).toBe('object');
      expect(inputSchema).toHaveProperty('properties');
      // Some clients know no lists of types.
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('"type":[');
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'verbatim://paper/{id}',
    ]);
    const { messages } = await client.getPrompt({
      name: 'answer_with_verified_quotes',
      arguments: { question: QUESTION },
    });
    expect(JSON.stringify(messages)).toContain(QUESTION);
    await client.close();
  });

  it('searches, fetches, and reads for a credit each, and sees what is left', async () => {
    const caller = account(`search-${era}@example.org`);
    const client = await connectOverHttp(service.url, caller.secret, era);
    const found = await callTool(client, 'search', { query: QUESTION });
    expect(found.isError).toBeUndefined();
    expect(JSON.parse(found.content[0]?.text ?? '')).toEqual(found.structuredContent);
    const { results, failed_sources } = found.structuredContent as {
      results: Result[];
      failed_sources: string[];
    };
    expect(failed_sources).toEqual([]);
    expect(results).toHaveLength(10);
    const [{ id, title, url } = { id: '', title: '', url: '' }] = results;
    expect(url).toBe(`verbatim://paper/${encodeURIComponent(id)}`);
    await untilUsage(caller, { requests: 1, credits: 1, balance: 9 });

    const more = { exclude: [id], sentences: 2, min_score: 0.01, max_tokens: 900, limit: -1 };
    const other = await callTool(client, 'search', { query: QUESTION, ...more });
    expect(other.structuredContent).toMatchObject({ dropped: 0, results: [{}] });
    const [only] = (other.structuredContent as { results: Result[] }).results;
    expect(results.slice(1).map((one) => one.id)).toContain(only?.id);
    expect(only).toMatchObject({ sentences: [only?.text, expect.any(String)] });
    await untilUsage(caller, { requests: 2, credits: 2, balance: 8 });
    const none = await callTool(client, 'search', {
      query: QUESTION,
      abstract: true,
      max_tokens: 50,
    });
    expect(none.structuredContent).toMatchObject({ dropped: 10, results: [] });

    const fetched = await callTool(client, 'fetch', { id });
    expect(JSON.parse(fetched.content[0]?.text ?? '')).toEqual(fetched.structuredContent);
    expect(fetched.structuredContent).toMatchObject({ id, title, has_abstract: true });
    await untilUsage(caller, { requests: 3, credits: 3, balance: 7 });

    const read = await client.readResource({ uri: url });
    const [content] = read.contents as { text: string }[];
    expect(JSON.parse(content?.text ?? '')).toEqual(fetched.structuredContent);
    await untilUsage(caller, { requests: 4, credits: 4, balance: 6 });

    expect(found.structuredContent?.['notice']).not.toContain('The question is in');
    const german = await callTool(client, 'search', { query: 'Wie hilft der Schlaf?' });
    expect(german.structuredContent?.['notice']).toContain('The question is in German');
    await untilUsage(caller, { requests: 5, credits: 5, balance: 5 });

    const usage = await callTool(client, 'usage', {});
    expect(usage.structuredContent).toMatchObject({ requests: 5, credits: 5, balance: 5 });
    await client.close();
  });

  it('hears what to do about a failure, and pays nothing', async () => {
    const caller = account(`failing-${era}@example.org`, 1);
    const client = await connectOverHttp(service.url, caller.secret, era);
    const failures: [name: string, args: Record<string, unknown>, text: RegExp][] = [
      ['search', { query: ' \u200b ' }, /^empty_query: empty query\. Nothing was charged/],
      ['search', { query: 'x'.repeat(2_049) }, /^query_too_long/],
      ['search', { query: QUESTION, limit: 0 }, /limit/],
      ['search', { query: QUESTION, limits: 3 }, /unknown field "limits".*did you mean limit\?/],
      ['search', { query: QUESTION, lanes: 'moon' }, /^bad_request: lanes/],
      ['search', {}, /query/],
      ['fetch', { id: '10.9999/nothing' }, /^not_found: .*No paper of the index/],
      ['fetch', { id: 'x'.repeat(60_000) }, /^not_found/],
      ['fetch', { id: 7 }, /id/],
    ];
    for (const [name, args, text] of failures) {
      const failed = await callTool(client, name, args);
      expect(failed.isError, JSON.stringify(args).slice(0, 80)).toBe(true);
      expect(failed.content[0]?.text).toMatch(text);
    }
    await expect(client.callTool({ name: 'delete', arguments: {} })).rejects.toThrow(/delete/);
    await expect(client.readResource({ uri: 'verbatim://paper/none' })).rejects.toThrow(
      /Nothing was charged/,
    );
    await untilUsage(caller, { requests: 0, credits: 0, balance: 1 });
    expect((await callTool(client, 'search', { query: QUESTION })).isError).toBeUndefined();
    await untilUsage(caller, { balance: 0 });
    for (const [name, args] of [
      ['search', { query: QUESTION }],
      ['fetch', { id: 'sample:psychology-sleep-and-forgetting' }],
    ] as const) {
      const unpaid = await callTool(client, name, args);
      expect(unpaid.isError).toBe(true);
      expect(unpaid.content[0]?.text).toMatch(/^insufficient_credit: .*ask the user to add credit/);
    }
    await client.close();
  });
});

describe('32 clients at once', () => {
  it('pay for exactly what they got, from a balance that is too small', async () => {
    const email = 'many@example.org';
    const credits = 50;
    const caller = account(email, credits);
    const outcomes = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, number) => {
        const client = await connectOverHttp(
          service.url,
          caller.secret,
          number % 2 === 0 ? 'modern' : 'legacy',
        );
        const results = await Promise.all([
          callTool(client, 'search', { query: `${QUESTION} ${number}` }),
          callTool(client, 'fetch', { id: 'sample:psychology-sleep-and-forgetting' }),
          callTool(client, 'fetch', { id: 'nothing' }),
        ]);
        await client.close();
        return results;
      }),
    );
    const all = outcomes.flat();
    expect(all.filter(({ isError }) => isError !== true)).toHaveLength(credits);
    await untilUsage(caller, { requests: credits, credits, balance: 0 });
    const kinds = ledger(service.database, email).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'settle')).toHaveLength(credits);
    expect(kinds.filter((kind) => kind === 'hold')).toHaveLength(credits);
  });
});

describe('a client that vanishes in the middle of a call', () => {
  it('pays nothing for a search, a fetch, or a verification', async () => {
    const email = 'vanishing@example.org';
    const caller = account(email, 3);
    const letGo = holdWriters(service.database);
    const bodies = [
      { name: 'search', arguments: { query: QUESTION } },
      { name: 'fetch', arguments: { id: 'sample:psychology-sleep-and-forgetting' } },
      { name: 'verify', arguments: { items: [{ quote: 'people forget less over a night' }] } },
    ].map((params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const connections = await Promise.all(
      bodies.map(async (body) => {
        const connection = await openConnection(service.url);
        const accept = 'Accept: application/json, text/event-stream\r\n';
        const head = searchHead(caller.secret, Buffer.byteLength(body))
          .replace('/v1/search', '/mcp')
          .replace('Content-Type', `${accept}Content-Type`);
        connection.socket.write(head + body);
        return connection;
      }),
    );
    const inFlight = async () =>
      (await scrape(service.metricsUrl)).sum('verbatim_searches_in_flight');
    await expect.poll(inFlight).toBe(3);
    const openFiles = async () => (await scrape(service.metricsUrl)).sum('process_open_fds') ?? 0;
    const during = await openFiles();
    for (const { socket, closed } of connections) {
      socket.destroy();
      await closed;
    }
    // The server must know that they are gone before it has an answer for them.
    await expect.poll(openFiles).toBeLessThanOrEqual(during - connections.length);
    letGo();
    await expect.poll(inFlight).toBe(0);
    // A call whose client left before the hold was asked for holds nothing.
    const kinds = () => ledger(service.database, email).map(({ kind }) => kind);
    const count = (wanted: string) => kinds().filter((kind) => kind === wanted).length;
    await expect.poll(() => count('hold') - count('release')).toBe(0);
    expect(kinds()).not.toContain('settle');
    await untilUsage(caller, { requests: 0, credits: 0, balance: 3 });
  });
});

describe('a request that is no call', () => {
  const ACCEPT = 'application/json, text/event-stream';
  const post = (secret: string, body: string, headers: Record<string, string> = {}) =>
    send(service.url, {
      method: 'POST',
      path: '/mcp',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        Accept: ACCEPT,
        ...headers,
      },
      body,
    });
  const call = (name: string, args: unknown) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    });

  it('from a page of another site is refused before the key is looked at', async () => {
    const { secret } = account('origin@example.org');
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const refused = await post(secret, '{}', { Origin: origin });
      expect(refused.status, origin).toBe(403);
      expect(refused.headers['x-error-code']).toBe('foreign_origin');
    }
    // A name that was led here, as a browser sends it.
    const rebound = { Origin: 'http://evil.example', Host: 'evil.example' };
    expect((await post(secret, '{}', rebound)).status).toBe(403);
    const own = await post(secret, call('usage', {}), { Origin: service.url });
    expect(own.status).toBe(200);
  });

  it('without a valid key is asked for one', async () => {
    const refused = await post('sk_live_wrong', call('usage', {}));
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer realm="verbatim", error="invalid_token"',
    );
    const anonymous = await send(service.url, { method: 'POST', path: '/mcp', body: '{}' });
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers['www-authenticate']).toBe('Bearer realm="verbatim"');
  });

  it('by another method than POST is refused', async () => {
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT']) {
      const refused = await send(service.url, { method, path: '/mcp' });
      expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'POST']);
    }
  });

  it('is refused with its reason, and costs nothing', async () => {
    const caller = account('abuse@example.org', 5);
    const search = call('search', { query: QUESTION });
    const modern = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta: { ...modern, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    };
    const rejections: [
      what: string,
      status: number,
      body: string,
      headers?: Record<string, string>,
    ][] = [
      ['broken JSON', 400, '{"jsonrpc": "2.0",'],
      ['no text', 400, '\u{fffd}\u0000'],
      ['an empty body', 400, ''],
      ['a batch', 400, `[${search},${search}]`],
      ['an empty batch', 400, '[]'],
      ['null', 400, 'null'],
      ['no JSON-RPC', 400, '{"method":"tools/call","id":1}'],
      ['another media type', 415, search, { 'Content-Type': 'text/plain' }],
      ['compression', 415, search, { 'Content-Encoding': 'gzip' }],
      ['a huge body', 413, call('search', { query: 'x'.repeat(70_000) })],
      ['no Accept', 406, search, { Accept: '' }],
      ['an unknown version in the header', 400, search, { 'MCP-Protocol-Version': '1999-01-01' }],
      [
        'an unknown version in the message',
        400,
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modern } }),
        { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/list' },
      ],
      [
        'deep nesting',
        200,
        call('search', { query: QUESTION, limit: 'DEEP' }).replace(
          '"DEEP"',
          '['.repeat(9_000) + ']'.repeat(9_000),
        ),
      ],
      [
        'a subscription',
        200,
        JSON.stringify(listen),
        { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' },
      ],
      ['an unknown method', 200, '{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}'],
      ['a tool by the name of a property', 200, call('constructor', {})],
      ['a tool by the name of a prototype', 200, call('__proto__', {})],
    ];
    for (const [what, status, body, headers] of rejections) {
      const refused = await post(caller.secret, body, headers);
      expect([what, refused.status, refused.text.slice(0, 300)]).toEqual([
        what,
        status,
        expect.stringMatching(status === 200 ? /"error":|"isError":true/ : /./),
      ]);
    }
    await untilUsage(caller, { requests: 0, credits: 0, balance: 5 });
  });

  it('counts against the rate of the key, like a search', async () => {
    const { secret } = addAccount(service, {
      email: 'rate@example.org',
      credits: 5,
      requestsPerMinute: 2,
    });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await post(secret, call('usage', {}))).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
