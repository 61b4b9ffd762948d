/** A server with a reranker: the header, the order, and what a request can choose. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openReranker } from '../../src/text/embed/hub/reranker.ts';
import type { Citation } from '../../src/types.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Caller, search } from './contract.ts';

const RERANKER = resolve(import.meta.dirname, '../fixtures/models/bert-reranker');
const QUESTION = 'does sleep help memory';

let caller: Caller;
useService({
  fill: (database) => createCustomer(database),
  env: { VERBATIM_RERANKER: RERANKER, VERBATIM_RERANK_MS: '60000' },
  ready: ({ url }, { secret }) => {
    caller = { url, secret };
  },
});

it('puts the first results into its order, and says so', async () => {
  const body = { query: QUESTION, limit: 20 };
  const plain = await search(caller, { ...body, rerank: false });
  expect(plain.headers['x-rerank']).toBeUndefined();
  const reranked = await search(caller, body);
  expect(reranked.headers['x-rerank']).toBe('20');
  const resultsOf = (text: string): Citation[] => JSON.parse(text).results;
  const before = resultsOf(plain.text);
  const after = resultsOf(reranked.text);
  expect(after.map(({ d }) => d).sort()).toEqual(before.map(({ d }) => d).sort());
  expect(after.map(({ s }) => s)).toEqual(before.map(({ s }) => s));
  const scores = await (await openReranker(RERANKER)).score(
    QUESTION,
    after.map(({ t, q }) => `${t}. ${q}`),
  );
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

it('is part of the version of the index, in searches and in /health alike', async () => {
  const { headers } = await search(caller, { query: QUESTION, limit: 1 });
  const health = await fetch(`${caller.url}/health`);
  expect(headers['x-index-version']).toBe(health.headers.get('x-index-version'));
});

it('refuses a value that is neither true nor false', async () => {
  const { status, text } = await search(caller, { query: QUESTION, rerank: 'yes' });
  expect([status, text]).toEqual([400, expect.stringContaining('rerank')]);
});
