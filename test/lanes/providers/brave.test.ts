import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { braveQuota } from '../../../src/lanes/providers/brave.ts';
import {
  askOnce,
  askOne,
  essenceOf,
  onlyWeb,
  openLanes,
  outcomeOf,
  waitFor,
} from '../../support/lanes/ask-lanes.ts';
import { braveCases, errorResponse, pages, result } from '../../support/lanes/brave-stub.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';
import { commonFaults } from '../../support/lanes/web-stubs.ts';

let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

const faults = commonFaults.map(([what, how, outcome]) => [what, how, outcome, []] as const);

describe('the web lane on Brave', () => {
  it.each([...braveCases, ...faults])('handles %s', async (_what, how, outcome, ids) => {
    stub.answer(how);
    const asked = await askOnce({ ...onlyWeb('brave', stub.url), ...waitFor(outcome) });
    expect(outcomeOf(asked)).toBe(outcome);
    expect(asked.documents.map(({ id }) => id)).toEqual(ids);
  });

  it('quotes whole sentences of snippets, each once', async () => {
    stub.answer(pages([result]));
    const { documents } = await askOnce(onlyWeb('brave', stub.url));
    expect(documents.map(essenceOf)).toEqual([
      {
        id: 'https://ex.org/p',
        title: 'On sleep',
        year: 2023,
        authors: [],
        abstract: '',
        quotable: ['A nap & a sleep help.', 'Memory gains from it.'],
      },
    ]);
  });

  it('waits a second after a rate limit, and asks again', async () => {
    stub.answer([errorResponse(429, 'RATE_LIMITED'), pages([result])]);
    const before = stub.requests.length;
    expect(outcomeOf(await askOnce(onlyWeb('brave', stub.url)))).toBe('answered');
    const [first, second] = stub.requests.slice(before);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
  });

  it('is exhausted until the end of the month', async () => {
    const headers = {
      'x-ratelimit-limit': '50, 2000',
      'x-ratelimit-remaining': '49, 0',
      'x-ratelimit-reset': '1, 40000',
    };
    stub.answer(errorResponse(429, 'QUOTA_LIMITED', headers));
    const lanes = openLanes(onlyWeb('brave', stub.url));
    expect(outcomeOf(await askOne(lanes))).toBe('failed: rate_limited');
    expect(outcomeOf(await askOne(lanes))).toBe('skipped: exhausted');
    const [state] = lanes.states();
    expect(state?.state).toBe('exhausted');
    expect(((state?.retryAt ?? 0) - Date.now()) / 1_000).toBeCloseTo(40_000, -2);
    await lanes.close();
  });

  it('sends at most 50 words and 400 characters, and the key in a header', async () => {
    stub.answer(pages([]));
    await askOnce(onlyWeb('brave', stub.url), 'a '.repeat(60));
    await askOnce(onlyWeb('brave', stub.url), 'memory '.repeat(100));
    const [words, characters] = stub.requests.slice(-2).map(({ query }) => query['q'] ?? '');
    expect(words?.split(' ')).toHaveLength(50);
    await askOnce(onlyWeb('brave', stub.url), 'consolidation '.repeat(45));
    expect(characters?.length).toBeLessThanOrEqual(400);
    const request = stub.requests.at(-1);
    expect(request?.query['q']).toHaveLength(14 * 28 - 1);
    expect(request?.headers['x-subscription-token']).toBe('brave-secret');
    expect(JSON.stringify(request?.query)).not.toContain('secret');
  });
});

it.each([
  ['50, 0', '49, 0', '1, 123456', undefined],
  ['50, 2000', '49, 0', '1, 123456', 123_456_000],
  ['50, 2000', '0, 1', '1, 123456', 1_000],
  ['50', '0', '1', 1_000],
  ['', '', '', undefined],
  ['x, y', '0', '1', undefined],
])("Brave's lists %j, %j, %j are a budget", (limit, remaining, reset, exhaustedForMs) => {
  const headers = {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
  };
  expect(braveQuota(headers).exhaustedForMs).toBe(exhaustedForMs);
});
