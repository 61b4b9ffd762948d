/** POST /v1/verify of many items, and its assessments of references. */
import { describe, expect, it } from 'vitest';
import { useService } from '../support/use-service.ts';
import {
  addAccount,
  bearer,
  type Caller,
  expectAudited,
  expectError,
  type Got,
  send,
  untilUsage,
} from './contract.ts';

const TITLE = 'Iron-catalysed synthesis of ammonia from nitrogen and hydrogen';
const EXACT = { quote: 'Raising the temperature speeds it up but shifts the equilibrium' };

const service = useService();
let customers = 0;

function newAccount(credits = 100): Caller {
  return addAccount(service, { email: `verify-${++customers}@example.org`, credits });
}

function post({ url, secret }: Caller, body: unknown): Promise<Got> {
  return send(url, {
    method: 'POST',
    path: '/v1/verify',
    headers: { ...bearer(secret), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function verified(caller: Caller, ...items: unknown[]): Promise<Record<string, unknown>[]> {
  const got = await post(caller, { items });
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text).items;
}

describe('a call', () => {
  it.each([
    [20, 1],
    [21, 2],
    [100, 5],
  ])('of %i items costs %i', async (length, credits) => {
    const caller = newAccount();
    const results = await verified(caller, ...Array(length).fill(EXACT));
    expect(results.every(({ verdict }) => verdict === 'exact')).toBe(true);
    await untilUsage(caller, { requests: 1, credits, balance: 100 - credits });
    await expectAudited(service.database);
  });

  it('of 100 items is free if nothing could be said, and needs the whole price', async () => {
    const caller = newAccount(5);
    const silent = await post(caller, { items: Array(100).fill({ quote: 'too short' }) });
    expect(silent.headers['x-credit-balance']).toBe('5');
    await verified(caller, EXACT);
    await untilUsage(caller, { credits: 1, balance: 4 });
    expectError(await post(caller, { items: Array(100).fill(EXACT) }), {
      status: 402,
      message: 'insufficient credit balance — top up to continue',
      headers: { 'x-credit-balance': '4' },
    });
    await verified(caller, ...Array(80).fill(EXACT));
    await untilUsage(caller, { credits: 5, balance: 0 });
    await expectAudited(service.database);
  });
});

describe('assessments', () => {
  const items = [
    EXACT,
    { reference: { title: TITLE, year: 2019 } },
    { reference: { title: TITLE, authors: ['Ned Nobody', 'Nora Nowhere'], year: 2026 } },
    { reference: { title: 'A paper that nobody ever wrote about anything', year: 2020 } },
    { reference: '@article{broken, title = {It' },
  ];
  const assessed = async (body: object): Promise<unknown[]> => {
    const got = await post(newAccount(), { items, ...body });
    expect(got.status, got.text).toBe(200);
    return JSON.parse(got.text).items.map((item: Record<string, unknown>) => item['assessment']);
  };

  it('come with include, for references', async () => {
    const expected = [undefined, 'likely_real', 'cannot_tell', 'cannot_tell', 'cannot_tell'];
    expect(await assessed({ include: 'assessment' })).toEqual(expected);
  });

  it('do not come without it', async () => {
    expect(await assessed({})).toEqual(Array(5).fill(undefined));
    expect(await assessed({ include: '' })).toEqual(Array(5).fill(undefined));
  });
});
