/** The trace of lanes in responses, the log, and /health, over real sockets. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/types.ts';
import { type Got, search, send } from '../http/contract.ts';
import { answering, fakeLanes, reportOf, sourdough } from './fake-lanes.ts';
import { useSampleIndex } from './local-answers.ts';
import { serveWith, useServiceWithLanes } from './serve-with-lanes.ts';

/** The sample has papers on sleep and memory, and none on bread. */
const LOCAL = 'cells that were active together on a maze fire together again during later sleep';
const OUT_OF_DOMAIN = 'how do sourdough starters resist spoilage moulds';

const localAnswer = useSampleIndex();

describe('the trace of lanes', () => {
  const serve = useServiceWithLanes();
  const reports = [
    reportOf({ lane: 'arxiv', documents: 1, milliseconds: 612.4 }),
    reportOf({
      lane: 'web',
      provider: 'crossref',
      outcome: 'failed',
      reason: 'rate_limited',
      milliseconds: 3,
    }),
  ];
  const traceHeader = new RegExp(
    '^served;c=0\\.\\d+;threshold=0\\.55;ms=\\d+, ' +
      'arxiv;provider=arxiv;outcome=answered;documents=1;ms=612, ' +
      'web;provider=crossref;outcome=failed;reason=rate_limited;documents=0;ms=3$',
  );

  it('is in the log line, and in a header on request', async () => {
    const running = serve(fakeLanes(answering([sourdough], reports)));
    const asked = await search(running, { query: OUT_OF_DOMAIN }, { headers: { 'x-lanes': '1' } });
    expect(asked.headers['x-lanes']).toMatch(traceHeader);
    const lines = () => running.log.filter(({ event }) => event === 'request');
    await expect.poll(() => lines().length).toBe(1);
    expect(lines()[0]?.['lanes']).toBe(asked.headers['x-lanes']);
    const log = JSON.stringify(running.log).toLowerCase();
    for (const word of ['sourdough', 'starters', 'moulds']) expect(log).not.toContain(word);
  });

  it.each([[{}], [{ 'x-lanes': '0' }], [{ 'x-lanes': '' }]])(
    'is in a header without a request only below the threshold (%j)',
    async (headers) => {
      const running = serve(fakeLanes(answering([sourdough], reports)));
      const outOfDomain = await search(running, { query: OUT_OF_DOMAIN }, { headers });
      expect(outOfDomain.headers['x-lanes']).toMatch(traceHeader);
      const local = await search(running, { query: LOCAL }, { headers });
      expect(local.headers).not.toHaveProperty('x-lanes');
    },
  );

  it('says off when no lane is on', async () => {
    const running = await serveWith(undefined);
    const got = await search(running, { query: OUT_OF_DOMAIN }, { headers: { 'x-lanes': '1' } });
    expect(got.headers['x-lanes']).toBe('off');
    expect(answerOf(got)).toEqual(await localAnswer(OUT_OF_DOMAIN));
  });

  it('is in /health, which asks no lane', async () => {
    const lanes = fakeLanes();
    const running = serve(lanes);
    const got = await send(running.url, { path: '/health' });
    expect(JSON.parse(got.text)).toMatchObject({
      lanes: [
        { lane: 'arxiv', provider: 'arxiv', state: 'ok' },
        {
          lane: 'web',
          provider: 'crossref',
          state: 'exhausted',
          retry_at: '2026-11-22T00:00:00.000Z',
        },
      ],
    });
    expect(lanes.asked).toEqual([]);
  });

  it('is accompanied by a log line for an unexpected error, which no customer sees', async () => {
    const running = serve(fakeLanes(() => Promise.reject(new Error('secret detail'))));
    const got = await search(running, { query: OUT_OF_DOMAIN }, { headers: { 'x-lanes': '1' } });
    const failed = running.log.filter(({ event }) => event === 'lanes_failed');
    expect(failed).toMatchObject([{ level: 'error', request_id: got.headers['x-request-id'] }]);
    expect(failed[0]?.['reason']).toContain('secret detail');
    expect(JSON.stringify([got.headers, got.text])).not.toContain('secret detail');
  });
});

function answerOf(got: Got): Answer {
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as Answer;
}
