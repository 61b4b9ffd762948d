/** A server with a reranker: the header, the order, what a request can choose, and what is counted. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openReranker } from '../../src/text/embed/hub/reranker.ts';
import type { Citation } from '../../src/types.ts';
import { answering, fakeLanes, sourdough } from '../lanes/fake-lanes.ts';
import { serveWith } from '../lanes/serve-with-lanes.ts';
import { PATIENT } from '../support/patient.ts';
import { scrape } from '../support/scrape.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { bearer, type Caller, search, send } from './contract.ts';

const RERANKER = resolve(import.meta.dirname, '../fixtures/models/bert-reranker');
const QUESTION = 'does sleep help memory';

let caller: Caller;
const service = useService({
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

it('orders the results of a batch as those of single searches, and says so', async () => {
  const questions = [QUESTION, 'shade and coffee', 'how is ammonia made', 'Hilft Schlaf?'].flatMap(
    (query) => [{ query }, { query, rerank: false }],
  );
  const { status, text } = await send(caller.url, {
    method: 'POST',
    path: '/v1/search/batch',
    headers: { ...bearer(caller.secret), 'content-type': 'application/json' },
    body: JSON.stringify({ questions }),
  });
  expect(status, text).toBe(200);
  for (const [at, question] of questions.entries()) {
    const { headers, text: answer } = await search(caller, question);
    const outcome = JSON.parse(text).outcomes[at];
    expect([outcome.rerank, outcome.question_language]).toEqual([
      'rerank' in question ? undefined : '20',
      headers['x-question-language'],
    ]);
    expect(outcome.answer).toEqual(JSON.parse(answer));
  }
});

it('leaves the order of searches that come together, and counts them', async () => {
  const seen: string[] = [];
  await expect
    .poll(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => search(caller)));
      seen.push(...answers.map(({ headers }) => String(headers['x-rerank'])));
      return seen;
    }, PATIENT)
    .toContain('busy');
  const counts = await scrape(service.metricsUrl);
  const counted = (reason: string) =>
    counts.sum('verbatim_searches_not_reranked_total', { reason });
  expect(counted('busy')).toBe(seen.filter((outcome) => outcome === 'busy').length);
  expect(counted('late')).toBe(0);
});

it('has no part in results that are merged with those of lanes', async () => {
  const question = { query: 'how do sourdough starters resist spoilage moulds' };
  for (const [documents, lanes, reranked] of [
    [[sourdough], 'served', undefined],
    [[], 'nothing', '20'],
  ] as const) {
    const own = { reranker: RERANKER, rerankMs: 60_000 };
    const running = await serveWith(fakeLanes(answering([...documents])), own);
    const { headers } = await search(running, question);
    expect(headers['x-lanes']).toMatch(new RegExp(`^${lanes};`));
    expect(headers['x-rerank']).toBe(reranked);
  }
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
