/** One scenario: a server, a stub for each provider, and customers who ask questions. */
import { join } from 'node:path';
import { auditServed } from '../measure/accounts.ts';
import { copyDatabase } from '../measure/databases.ts';
import { createRandom } from '../measure/random.ts';
import { sampleMemory, startServer } from '../measure/server.ts';
import { median, quantile, sumOf } from '../measure/statistics.ts';
import { type Asked, addAsking, askOn, drawOutOfDomainQuestion } from './customers.ts';
import { always, atRandom, type Behavior, type Stubs, startStubs } from './stubs.ts';

export interface Scenario {
  name: string;
  /** The providers that misbehave. */
  behaviors?: Record<string, Behavior>;
  /** All of them misbehave at random, with this seed. */
  seed?: string;
  customers: number;
  /** Each customer asks so many questions, or for so long. */
  questions?: number;
  seconds?: number;
  /** The minimum time between two questions of a customer. */
  everyMs?: number;
  requestTimeoutMs?: number;
}

export interface Measures {
  scenario: string;
  p50Ms: number;
  p99Ms: number;
  /** Responses by status. 0: the connection broke. */
  answers: Record<string, number>;
  /** Searches by lane outcome. */
  outcomes: Record<string, number>;
  /** The share of searches that lanes served. */
  servedShare: number;
  /** Requests to all stubs by behavior. */
  faults: Stubs['counts'];
  requestsPerQuestion: number;
  arxivRequests: number;
  /** Undefined if arXiv got fewer than two requests. */
  arxivGapMsMin?: number;
  residentBytes: { start: number; most: number; last: number };
  /** One sentence for each error. */
  wrong: string[];
}

/** The gap between requests that arXiv asks for. */
const ARXIV_GAP_MS = 3_000;
/** How much the server's memory may grow between the second and the last quarter of a long run. */
const MEMORY_GROWTH_MAX = 1.25;
const SAMPLE_INTERVAL_MS = 500;
/** Room for all customers, because capacity is not what is measured. */
export const ROOM = { env: { VERBATIM_IN_FLIGHT_MAX: '1000' }, limits: { laneSearchesMax: 1_000 } };

/** Runs a scenario on a copy of the index. Its files are in `folder`. */
export async function runScenario(
  scenario: Scenario,
  { index, folder }: { index: string; folder: string },
): Promise<Measures> {
  const { name, behaviors = {}, seed, everyMs = 0 } = scenario;
  const database = join(folder, `${name.replace(/\W+/g, '-')}.db`);
  await copyDatabase(index, database);
  const stubs = await startStubs((provider) =>
    seed === undefined
      ? always(behaviors[provider] ?? 'well')
      : atRandom(createRandom(`${seed} ${provider}`)),
  );
  const lines: string[] = [];
  const { requestTimeoutMs = 10_000 } = scenario;
  const timeout = { VERBATIM_REQUEST_TIMEOUT_MS: String(requestTimeoutMs) };
  const env = { ...stubs.env, ...ROOM.env, ...timeout };
  const onLine = (line: string) => lines.push(line);
  const server = await startServer(database, { env, limits: ROOM.limits, onLine });
  const { port } = server;
  const random = createRandom(`${name} ${seed}`);
  const memory = sampleMemory(server, SAMPLE_INTERVAL_MS);
  const end = performance.now() + (scenario.seconds ?? Infinity) * 1_000;
  const asking = addAsking(database, scenario.customers, 'lanes').map((secret) => {
    let left = scenario.questions ?? Infinity;
    const nextQuestion = (): string => {
      left--;
      return drawOutOfDomainQuestion(random);
    };
    const goOn = (): boolean => left > 0 && performance.now() < end;
    return askOn({ port, secret }, { nextQuestion, goOn, everyMs });
  });
  const asked = (await Promise.all(asking)).flat();
  const resident = memory.stop();
  await server.stop();
  await stubs.close();
  // A 200 must cost its credit. All other responses must return it.
  const served = asked.filter(({ status }) => status === 200).length;
  const ledger = auditServed(database, served, asked.length - served);
  return measuresOf(scenario, { stubs, lines, asked, resident, ledger });
}

interface Seen extends Record<'lines' | 'ledger', readonly string[]> {
  stubs: Stubs;
  asked: readonly Asked[];
  resident: readonly number[];
}

function measuresOf(scenario: Scenario, { stubs, lines, asked, resident, ledger }: Seen): Measures {
  const times = asked.map(({ milliseconds }) => milliseconds);
  const answers = countBy(asked.map(({ status }) => String(status)));
  const outcomes = countBy(lines.flatMap((line) => /"lanes":"(\w+);/.exec(line)?.[1] ?? []));
  const requests = sumOf(Object.values(stubs.counts));
  const arxiv = stubs.timesOf('arxiv');
  const gaps = arxiv.slice(1).map((time, at) => Math.round(time - (arxiv[at] as number)));
  const gapMs = Math.min(...gaps);
  const [start = 0, last = 0] = [resident[0], resident.at(-1)];
  const measures: Measures = {
    scenario: scenario.name,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    answers,
    outcomes,
    servedShare: (outcomes['served'] ?? 0) / times.length,
    faults: stubs.counts,
    requestsPerQuestion: requests / times.length,
    arxivRequests: arxiv.length,
    residentBytes: { start, most: Math.max(...resident), last },
    wrong: [
      ...ledger,
      ...(gapMs < ARXIV_GAP_MS ? [`arXiv got two requests within ${gapMs} ms`] : []),
      ...(scenario.seconds === undefined ? [] : wrongOfLongRun(answers, outcomes, resident)),
    ],
  };
  if (gaps.length > 0) measures.arxivGapMsMin = gapMs;
  return measures;
}

function wrongOfLongRun(
  answers: Record<string, number>,
  outcomes: Record<string, number>,
  resident: readonly number[],
): string[] {
  const wrong = Object.entries(answers)
    .filter(([status]) => status !== '200' && status !== '504')
    .map(([status, count]) => `${count} searches returned status ${status}`);
  if (outcomes['served'] === undefined) wrong.push('no search was served by a lane');
  // The first quarter is the warm-up.
  const quarter = Math.floor(resident.length / 4);
  const before = median(resident.slice(quarter, 2 * quarter));
  const after = median(resident.slice(-quarter));
  if (after > MEMORY_GROWTH_MAX * before) {
    wrong.push(`memory grew from ${Math.round(before / 1e6)} to ${Math.round(after / 1e6)} MB`);
  }
  return wrong;
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
