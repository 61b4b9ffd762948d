/** A whole server with stubs of its providers, one of which misbehaves at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addAccount, expectAudited, search } from '../http/contract.ts';
import { feedOf, paperEntry } from '../support/lanes/arxiv-stub.ts';
import { work, works } from '../support/lanes/crossref-stub.ts';
import { papers } from '../support/lanes/semantic-scholar-stub.ts';
import {
  type Responder,
  type StubAnswer,
  type StubServer,
  startStub,
} from '../support/lanes/stub-server.ts';
import { withLimits } from '../support/limits.ts';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';

const CUSTOMERS = 40;
/** Between questions that wait for a lane to be free again. */
const PAUSE_MS = 200;
const caps = { credits: 1_000, requestsPerMinute: 1_000, inFlightMax: 1_000 };
let accounts = 0;
type Stubs = Record<'arxiv' | 'semantic_scholar' | 'crossref', StubServer>;

const well: Record<keyof Stubs, Responder> = {
  arxiv: feedOf([paperEntry]),
  semantic_scholar: () => papers,
  crossref: () => works([work]),
};

async function startStubs(): Promise<Stubs> {
  const stubs = {
    arxiv: await startStub(well.arxiv),
    semantic_scholar: await startStub(well.semantic_scholar),
    crossref: await startStub(well.crossref),
  };
  onTestFinished(async () => {
    for (const stub of Object.values(stubs)) await stub.close();
  });
  return stubs;
}

function environment({ arxiv, semantic_scholar, crossref }: Stubs): Record<string, string> {
  return {
    VERBATIM_LANE_CONTACT: 'ops@example.org',
    VERBATIM_ARXIV_URL: arxiv.url,
    VERBATIM_SEMANTIC_SCHOLAR_URL: semantic_scholar.url,
    VERBATIM_CROSSREF_URL: crossref.url,
    // Room for all: neither capacity nor the speed of the machine is tested here.
    VERBATIM_IN_FLIGHT_MAX: '1000',
    ...withLimits({ laneSearchesMax: 1_000 }),
    VERBATIM_REQUEST_TIMEOUT_MS: '60000',
    VERBATIM_LANE_TIMEOUT_MS: '20000',
  };
}

async function newDatabase(): Promise<string> {
  const database = await copySampleIndex();
  onTestFinished(() => removeDatabase(database));
  return database;
}

/** The concurrent searches of a customer, each with its trace. */
async function askAtOnce(
  { url, database }: Service,
  questions: readonly string[],
): Promise<string[]> {
  const email = `customer-${++accounts}@example.org`;
  const account = addAccount({ url, database }, { email, ...caps });
  const headers = { 'x-lanes': '1' };
  const answers = await Promise.all(
    questions.map((query) => search(account, { query }, { headers })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  return answers.map((answer) => String(answer.headers['x-lanes']));
}

const question = (index: number): string =>
  `how do sourdough starters resist spoilage moulds in bakery number ${index}`;
const misbehaviors: [how: string, answer: (answer: StubAnswer) => StubAnswer][] = [
  ['slow', (answer) => ({ ...answer, delayMs: 2_000 })],
  ['hanging', () => ({ fault: 'hang' })],
  ['failing', () => ({ status: 500 })],
];
/** arXiv and Semantic Scholar have the same kind of rate limit, so one of them is enough for what takes long. */
const lanes = [
  ['arxiv', misbehaviors],
  ['semantic_scholar', misbehaviors.filter(([how]) => how === 'failing')],
  ['crossref', misbehaviors],
] as const;

describe.each(lanes)('forty customers at once, with %s', (lane, ways) => {
  it.each(ways)('%s, are answered, and no other lane becomes unavailable', async (how, change) => {
    const stubs = await startStubs();
    stubs[lane].answer((request, index) => change(well[lane](request, index)));
    const service = await startService(await newDatabase(), environment(stubs));
    const questions = Array.from({ length: CUSTOMERS }, (_, index) => question(index));
    const traces = await askAtOnce(service, questions);
    const open = traces.join(', ').match(/provider=\w+(?=;outcome=skipped;reason=circuit_open)/g);
    const mayBeOpen = how === 'slow' ? [] : [`provider=${lane}`];
    expect([...new Set(open ?? [])].filter((name) => !mayBeOpen.includes(name))).toEqual([]);
    // No provider is asked twice for one question.
    for (const stub of Object.values(stubs)) {
      expect(stub.requests.length).toBeLessThanOrEqual(CUSTOMERS);
      const asked = stub.requests.map(({ query }) => JSON.stringify(query));
      expect(new Set(asked).size).toBe(asked.length);
    }
    await service.end();
    await expectAudited(service.database);
  });
});

it('the same question of forty customers at once leads to one request to each provider', async () => {
  const stubs = await startStubs();
  const service = await startService(await newDatabase(), environment(stubs));
  await askAtOnce(service, Array(40).fill(question(0)));
  expect(Object.values(stubs).map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  await service.end();
});

describe('a server that is killed and started again', () => {
  it('keeps to the backoffs, and to the lease of the request that was in flight', async () => {
    const stubs = await startStubs();
    stubs.arxiv.answer({ fault: 'hang' });
    stubs.crossref.answer({ status: 429, headers: { 'retry-after': '600' } });
    stubs.semantic_scholar.answer({ status: 403 });
    const database = await newDatabase();
    // The lease lasts a little longer.
    const env = { ...environment(stubs), VERBATIM_LANE_TIMEOUT_MS: '5000' };
    const first = await startService(database, env);
    const asked = askAtOnce(first, [question(1)]).catch(() => []);
    const paused = async (): Promise<unknown[]> => {
      const health = (await (await fetch(`${first.url}/health`)).json()) as {
        lanes: { retry_at?: string }[];
      };
      return health.lanes.filter(({ retry_at }) => retry_at !== undefined);
    };
    await expect.poll(() => stubs.arxiv.requests.length).toBe(1);
    await expect.poll(paused).toHaveLength(2);
    await first.end('SIGKILL');
    await asked;

    stubs.arxiv.answer(well.arxiv);
    const second = await startService(database, env);
    let index = 2;
    const outcomes = new Set<string>();
    while (stubs.arxiv.requests.length < 2) {
      await sleep(PAUSE_MS);
      const [trace = ''] = await askAtOnce(second, [question(index++)]);
      for (const found of trace.matchAll(/provider=(\w+);outcome=(\w+)(?:;reason=(\w+))?/g)) {
        outcomes.add(found.slice(1).join(' '));
      }
    }
    await second.end();
    const [before, after] = stubs.arxiv.requests.map(({ at }) => at);
    expect((after ?? 0) - (before ?? 0)).toBeGreaterThanOrEqual(3_000);
    expect([stubs.crossref.requests.length, stubs.semantic_scholar.requests.length]).toEqual([
      1, 1,
    ]);
    expect(outcomes).toContain('crossref skipped rate_limited');
    expect(outcomes).toContain('semantic_scholar skipped refused');
  });
});
