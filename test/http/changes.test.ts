/** GET /v1/changes over real sockets: what is listed, that it is free, and every kind of wrong request. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, writeFiles } from '../ingest/index-files.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import {
  addAccount,
  type Caller,
  expectError,
  expectRateHeaders,
  holdWriters,
  readUsage,
  search,
  send,
  takeRequestId,
} from './contract.ts';
import { addPapers, get } from './look-up-papers.ts';

const started = new Date().toISOString();
const service = useService({ fill: addPapers, env: { VERBATIM_IN_FLIGHT_MAX: '1' } });
let customers = 0;

function newAccount(credits = 0): Caller {
  const email = `changes-${++customers}@example.org`;
  return addAccount(service, { email, credits, requestsPerMinute: 6_000 });
}

async function list(caller: Caller, query: Record<string, string>) {
  const got = await get(caller, `/v1/changes?${new URLSearchParams(query)}`);
  expect(got.status, got.text).toBe(200);
  return { got, ...(JSON.parse(got.text) as { changes: object[]; cursor: string; more: boolean }) };
}

describe('changes', () => {
  it('are listed for a key without credit, from a time on', async () => {
    const caller = newAccount();
    const { got, changes, more } = await list(caller, { since: started });
    expect(more).toBe(false);
    expect(changes).toHaveLength(7);
    expect(changes).toContainEqual({
      d: '10.5555/delay',
      kind: 'added',
      at: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      t: 'Friction delays the tide in shallow water',
      y: 2023,
    });
    expect(changes).toContainEqual(
      expect.objectContaining({ d: '10.5555/gone', kind: 'withdrawn', reason: 'retracted' }),
    );
    expect(got.headers).not.toHaveProperty('x-credit-balance');
    expectRateHeaders(got, true);
    takeRequestId(got);
    expect(await readUsage(caller)).toMatchObject({ requests: 0, credits: 0 });
  });

  it('go on where the list before ended, with what was written since', async () => {
    const caller = newAccount();
    const all = await list(caller, { since: started });
    const found: object[] = [];
    for (let query: Record<string, string> = { since: started }, more = true; more; ) {
      const page = await list(caller, { ...query, limit: '3' });
      expect(page.changes.length).toBeLessThanOrEqual(3);
      found.push(...page.changes);
      query = { cursor: page.cursor };
      more = page.more;
    }
    expect(found).toEqual(all.changes);
    const [file = ''] = await writeFiles(join(service.database, '..'), {
      'later.jsonl': jsonLines([{ id: '10.5555/later', title: 'Tides of today', year: 2024 }]),
    });
    await runVerbatim(['index', 'add', file, '--db', service.database]);
    await runVerbatim(['index', 'remove', '10.5555/delay', '--db', service.database]);
    const { changes, cursor } = await list(caller, { cursor: all.cursor });
    expect(changes).toMatchObject([
      { d: '10.5555/later', kind: 'added', t: 'Tides of today', y: 2024 },
      { d: '10.5555/delay', kind: 'withdrawn', reason: 'removed' },
    ]);
    expect(changes[1]).not.toHaveProperty('t');
    expect((await list(caller, { cursor })).changes).toEqual([]);
  });
});

describe('refuses', () => {
  const CURSOR = `${'a'.repeat(32)}.1.1`;
  it.each([
    ['', 'since: expected a time, or a cursor instead'],
    [`?since=2026-01-01&cursor=${CURSOR}`, 'since: expected either since or cursor, got both'],
    ['?since=today', 'since: expected a date, or a time with its zone, as in 2026-11-21T09:30:00Z'],
    ['?since=2026-01-01&since=2026-01-02', 'since: expected one value, got 2'],
    ['?since=2026-13-01', /^since: expected a date/],
    ['?since=2026-01-01T10:00', /^since: expected a date/],
    ['?cursor=1', 'cursor: expected the cursor of an earlier answer'],
    ['?since=2026-01-01&limit=0', 'limit: expected an integer from 1 to 1000, got the number 0'],
    ['?since=2026-01-01&limit=1001', /^limit: expected an integer from 1 to 1000/],
    ['?sinse=2026-01-01', /^unknown parameter "sinse".* did you mean since\?$/],
  ])('%s', async (query, message) => {
    const got = await get(newAccount(), `/v1/changes${query}`);
    expectError(got, { status: 400, code: 'bad_request', message });
  });

  it('a cursor of another index', async () => {
    expectError(await get(newAccount(), `/v1/changes?cursor=${CURSOR}`), {
      status: 410,
      code: 'cursor_over',
      message: 'this cursor is of an index that was replaced or restored; start again with since',
    });
  });

  it('a call without a key, and another method', async () => {
    const path = '/v1/changes?since=2026-01-01';
    const without = await send(service.url, { path });
    expectError(without, { status: 401, message: /api key/, authenticated: false });
    const posted = await get(newAccount(), path, { method: 'POST' });
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET']);
  });

  it('a call while all places are taken', async () => {
    const caller = newAccount(1);
    const release = holdWriters(service.database);
    const searching = search(caller);
    let got = await get(caller, '/v1/changes?since=2026-01-01');
    while (got.status === 200) got = await get(caller, '/v1/changes?since=2026-01-01');
    release();
    expect([got.status, got.headers['x-error-code']]).toEqual([503, 'at_capacity']);
    expect((await searching).status).toBe(200);
  });
});
