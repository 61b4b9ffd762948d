/** What a customer gets and pays when the index has nothing close, over real sockets. */
import { describe, expect, it } from 'vitest';
import type { LaneDocument } from '../../src/lanes/lane/lane.ts';
import type { Answer, Citation } from '../../src/types.ts';
import { expectAudited, type Got, LONG_QUERY, ledger, search } from '../http/contract.ts';
import {
  answering,
  type Behaviour,
  fakeLanes,
  hanging,
  laneDocumentOf,
  QUOTE,
  reportOf,
  sourdough,
} from './fake-lanes.ts';
import { useSampleIndex } from './local-answers.ts';
import { CREDITS, type Running, serveWith, useServiceWithLanes } from './serve-with-lanes.ts';

/** The sample has papers on sleep and memory, and none on bread. */
const LOCAL = 'cells that were active together on a maze fire together again during later sleep';
const OUT_OF_DOMAIN = 'how do sourdough starters resist spoilage moulds';
const OTHER_OUT_OF_DOMAIN = 'what keeps a loaf of rye bread fresh';
/** A document that answers no question about bread. */
const pulsar: LaneDocument = laneDocumentOf({
  id: 'arXiv:2401.00009',
  identifiers: { arxiv: '2401.00009' },
  title: 'Timing of a pulsar',
  abstract: 'We time a pulsar.',
});
/** A document about sleep that is worse than those of the sample. */
const midges: LaneDocument = laneDocumentOf({
  id: 'arXiv:2401.00010',
  identifiers: { arxiv: '2401.00010' },
  title: 'Sleep of midges',
  abstract: 'Midges of a lake were active in the evening. They sleep during the day.',
});

interface Row {
  what: string;
  lanes: Behaviour;
  /** The `d` and `src` of the results, or a mark for local results. */
  results: 'local' | [d: string, src: string][];
  outcome: string;
}

const rows: Row[] = [
  {
    what: 'lanes with an answer',
    lanes: answering([sourdough]),
    results: [['10.5555/sourdough', 'web']],
    outcome: 'served',
  },
  { what: 'lanes that have nothing', lanes: answering([]), results: 'local', outcome: 'nothing' },
  { what: 'lanes that hang', lanes: hanging, results: 'local', outcome: 'failed' },
  {
    what: 'lanes that are all down',
    lanes: answering([], [reportOf({ outcome: 'failed', reason: 'unreachable' })]),
    results: 'local',
    outcome: 'failed',
  },
  {
    what: 'lanes that break their promise and throw',
    lanes: () => Promise.reject(new Error('secret detail')),
    results: 'local',
    outcome: 'failed',
  },
  {
    what: 'lanes that break their promise and never end',
    lanes: () => new Promise(() => {}),
    results: 'local',
    outcome: 'late',
  },
  {
    what: 'the same paper from two lanes',
    lanes: answering([
      sourdough,
      { ...sourdough, id: 'arXiv:2401.00002', identifiers: { arxiv: '2401.00002' } },
    ]),
    results: [['10.5555/sourdough', 'web']],
    outcome: 'served',
  },
];

const localAnswer = useSampleIndex();

/** Enough time for any machine. */
const serve = useServiceWithLanes({ requestTimeoutMs: 120_000 });
const serveAlways = useServiceWithLanes({ laneConfidence: 1 });
/**
 * Hanging lanes are given up after 3 seconds, enough for a busy machine to ask them. A search with
 * lanes that never end takes its whole time.
 */
const TIME_FOR_LANES_MS = 3_000;
const serveBriefly = useServiceWithLanes({
  requestTimeoutMs: TIME_FOR_LANES_MS + 3_000,
  laneScoringMarginMs: 3_000,
});

describe('a question that the index does not answer', () => {
  it.each(rows)('is answered with 200 and costs one credit when $what', async (row) => {
    const lanes = fakeLanes(row.lanes);
    const running = (/hang|never end/.test(row.what) ? serveBriefly : serve)(lanes);
    const got = await search(running, { query: OUT_OF_DOMAIN }, { headers: { 'x-lanes': '1' } });
    const answer = answerOf(got);
    expect(lanes.asked).toEqual([OUT_OF_DOMAIN]);
    expect(answer.n).toBe(answer.results.length);
    expect(got.headers['x-lanes']).toMatch(new RegExp(`^${row.outcome};`));
    if (row.results === 'local') expect(answer).toEqual(await localAnswer(OUT_OF_DOMAIN));
    else expect(laneResults(answer).map(({ d, src }) => [d, src])).toEqual(row.results);
    await expectOutcome(running, ['topup', 'hold', 'settle']);
    expect(got.headers['x-credit-balance']).toBe(String(CREDITS - 1));
  });
});

describe('a question that the index answers', () => {
  it('asks no lane and has only local results', async () => {
    const lanes = fakeLanes(answering([sourdough]));
    const running = serve(lanes);
    const got = await search(running, { query: LOCAL }, { headers: { 'x-lanes': '1' } });
    expect(answerOf(got)).toEqual(await localAnswer(LOCAL));
    expect(lanes.asked).toEqual([]);
    expect(got.headers['x-lanes']).toMatch(/^close;c=0\.\d+;threshold=0\.55;ms=\d+$/);
    await expectOutcome(running, ['topup', 'hold', 'settle']);
  });

  it('asks lanes only below the threshold of the operator', async () => {
    const lanes = fakeLanes();
    await search(serveAlways(lanes), { query: LOCAL });
    expect(lanes.asked).toEqual([LOCAL]);
  });
});

describe('a merged answer', () => {
  it('has the documented fields, and a sentence word for word', async () => {
    const running = serve(fakeLanes(answering([sourdough])));
    const answer = answerOf(await search(running, { query: OUT_OF_DOMAIN }));
    expect(answer.results[0]).toEqual({
      d: '10.5555/sourdough',
      t: sourdough.title,
      y: 2024,
      a: ['A. Berg', 'B. Dahl', 'C. Elm'],
      q: QUOTE,
      src: 'web',
      s: expect.any(Number),
    });
    expect(answer.c).toBe((await localAnswer(OUT_OF_DOMAIN)).c);
  });

  it('is one list sorted by score, and the same for the same question', async () => {
    const running = serve(fakeLanes(answering([pulsar, sourdough])));
    const answer = answerOf(await search(running, { query: OUT_OF_DOMAIN, limit: 50 }));
    const scores = answer.results.map(({ s }) => s);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(answerOf(await search(running, { query: OUT_OF_DOMAIN, limit: 50 }))).toEqual(answer);
  });

  it('ends with the last result of a lane', async () => {
    const running = serveAlways(fakeLanes(answering([midges])));
    const { results } = answerOf(await search(running, { query: LOCAL, limit: 50 }));
    const local = (await localAnswer(LOCAL)).results;
    const sources = results.map(({ src }) => src);
    expect(sources.slice(0, -1)).toEqual(Array(results.length - 1).fill('corpus'));
    expect(sources.at(-1)).toBe('arxiv');
    expect(results.length).toBeGreaterThan(2);
    expect(results.length).toBeLessThan(50);
    expect(results[0]?.d).toBe(local[0]?.d);
  });

  it('has only local results if all are better than those of lanes', async () => {
    const running = serveAlways(fakeLanes(answering([pulsar])));
    const got = await search(running, { query: LOCAL, limit: 3 });
    expect(answerOf(got).results.map(({ src }) => src)).toEqual(['corpus', 'corpus', 'corpus']);
  });

  it('has the abstracts of lanes on request', async () => {
    const running = serve(fakeLanes(answering([sourdough])));
    const got = await search(running, { query: OUT_OF_DOMAIN, fields: 'abstract' });
    expect(answerOf(got).results[0]?.ab).toBe(sourdough.abstract);
  });

  it('respects the limit', async () => {
    const many = Array.from({ length: 12 }, (_, i) => ({
      ...sourdough,
      id: `10.5555/s${i}`,
      identifiers: { doi: `10.5555/s${i}` },
      title: `Sourdough starters, part ${i}`,
    }));
    const running = serve(fakeLanes(answering(many)));
    expect(answerOf(await search(running, { query: OUT_OF_DOMAIN, limit: 5 })).n).toBe(5);
  });

  it('has each paper once, from the index if the index has it', async () => {
    const running = serveAlways(fakeLanes());
    const [best] = answerOf(await search(running, { query: LOCAL, fields: 'abstract' })).results;
    const { d, t, y, ab } = best as Citation;
    const copy = laneDocumentOf({
      id: '10.5555/copy',
      identifiers: { doi: '10.5555/copy' },
      title: t,
      year: y,
    });
    const again = serveAlways(fakeLanes(answering([{ ...copy, abstract: ab ?? '' }])));
    const { results } = answerOf(await search(again, { query: LOCAL }));
    expect(results.filter(({ t: title }) => title === t)).toMatchObject([{ d, src: 'corpus' }]);
  });
});

describe('the time of a search', () => {
  it('ends with 504 and returns the credit if not even the index has answered', async () => {
    const lanes = fakeLanes(answering([sourdough]));
    const running = await serveWith(lanes, { requestTimeoutMs: 1 });
    const got = await search(running, { query: LONG_QUERY });
    expect([got.status, got.text]).toEqual([504, 'search timed out']);
    expect(got.headers['x-credit-balance']).toBe(String(CREDITS));
    await expectOutcome(running, ['topup', 'hold', 'release']);
  });

  it('may be too short for lanes: the local results are the answer', async () => {
    const lanes = fakeLanes(answering([sourdough]));
    const running = await serveWith(lanes, { laneScoringMarginMs: 60_000 });
    const got = await search(running, { query: OUT_OF_DOMAIN }, { headers: { 'x-lanes': '1' } });
    expect(answerOf(got)).toEqual(await localAnswer(OUT_OF_DOMAIN));
    expect(got.headers['x-lanes']).toMatch(/^no_time;/);
    expect(lanes.asked).toEqual([]);
  });

  it('is given to lanes, minus the margin for scoring', async () => {
    let left = Number.NaN;
    const lanes = fakeLanes(async (_query, deadline) => {
      left = deadline - performance.now();
      return { documents: [], reports: [] };
    });
    await search(serveBriefly(lanes), { query: OUT_OF_DOMAIN });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(TIME_FOR_LANES_MS);
  });
});

describe('hanging lanes', () => {
  it('hold no thread, so a local question is answered meanwhile', async () => {
    const { lanes, free } = waitingLanes();
    // There is one thread: if the first search held it, the second would wait.
    const running = serve(lanes);
    const order: string[] = [];
    const outOfDomain = search(running, { query: OUT_OF_DOMAIN }).finally(() =>
      order.push('outOfDomain'),
    );
    await expect.poll(() => lanes.asked.length).toBe(1);
    const local = await search(running, { query: LOCAL }).finally(() => order.push('local'));
    free();
    expect([local.status, (await outOfDomain).status]).toEqual([200, 200]);
    expect(order).toEqual(['local', 'outOfDomain']);
  });

  it('hold a limited number of searches, and others are answered from the index at once', async () => {
    const { lanes, free } = waitingLanes([sourdough]);
    const running = await serveWith(lanes, { laneSearchesMax: 2, requestTimeoutMs: 60_000 });
    const waiting = [
      search(running, { query: OUT_OF_DOMAIN }),
      search(running, { query: OTHER_OUT_OF_DOMAIN }),
    ];
    await expect.poll(() => lanes.asked.length).toBe(2);
    const third = 'which yeasts raise a panettone';
    const got = await search(running, { query: third });
    expect(got.headers['x-lanes']).toMatch(/^busy;/);
    expect(answerOf(got)).toEqual(await localAnswer(third));
    free();
    for (const answer of (await Promise.all(waiting)).map(answerOf)) {
      expect(laneResults(answer)).toHaveLength(1);
    }
    await expectAudited(running.database);
  });

  it('hold the capacity of their searches', async () => {
    const { lanes, free } = waitingLanes();
    const running = await serveWith(lanes, { inFlightMax: 2, requestTimeoutMs: 60_000 });
    const waiting = [
      search(running, { query: OUT_OF_DOMAIN }),
      search(running, { query: OTHER_OUT_OF_DOMAIN }),
    ];
    await expect.poll(() => lanes.asked.length).toBe(2);
    expect((await search(running, { query: LOCAL })).status).toBe(503);
    free();
    for (const got of await Promise.all(waiting)) expect(got.status).toBe(200);
    expect((await search(running, { query: LOCAL })).status).toBe(200);
  });

  it('do not hold up the shutdown of the service', async () => {
    const lanes = fakeLanes(hanging);
    const running = await serveWith(lanes, {
      requestTimeoutMs: 120_000,
      laneScoringMarginMs: 117_000,
    });
    const got = search(running, { query: OUT_OF_DOMAIN });
    await expect.poll(() => lanes.asked.length).toBe(1);
    await running.stop();
    expect((await got).status).toBe(200);
    expect(lanes.isClosed).toBe(true);
    await expectOutcome(running, ['topup', 'hold', 'settle']);
  });
});

/** Lanes that answer with these documents when they are freed. */
function waitingLanes(documents: LaneDocument[] = []) {
  let free = (): void => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  const lanes = fakeLanes(async () => {
    await freed;
    return { documents, reports: documents.map(() => reportOf()) };
  });
  return { lanes, free: () => free() };
}

function laneResults({ results }: Answer): Citation[] {
  return results.filter(({ src }) => src !== 'corpus');
}

function answerOf(got: Got): Answer {
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as Answer;
}

/** The ledger entries so far, oldest first. Asserts that they add up. */
async function expectOutcome(
  { database, email }: Pick<Running, 'database' | 'email'>,
  kinds: string[],
): Promise<void> {
  await expectAudited(database);
  expect(
    ledger(database, email)
      .map(({ kind }) => kind)
      .reverse(),
  ).toEqual(kinds);
}
