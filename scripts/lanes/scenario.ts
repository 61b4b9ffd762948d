/** One scenario: a server, a stub for each provider, and customers who ask questions. */
import { join } from 'node:path';
import { auditServed } from '../measure/accounts.ts';
import { copyDatabase } from '../measure/databases.ts';
import { createRandom } from '../measure/random.ts';
import { type ServerOptions, sampleMemory, startServer } from '../measure/server.ts';
import { countBy, median, quantile, sumOf } from '../measure/statistics.ts';
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

export type Measures = Awaited<ReturnType<typeof runScenario>>;

/** The gap between requests that arXiv asks for. */
const ARXIV_GAP_MS = 3_000;
/** How much the server's memory may grow between the second and the last quarter of a long run. */
const MEMORY_GROWTH_MAX = 1.25;
const SAMPLE_INTERVAL_MS = 500;
const REQUEST_TIMEOUT_MS = 10_000;

/** A server with stubs of its providers, and how it differs from other servers. */
interface Scene extends Pick<ServerOptions, 'limits' | 'onLine'> {
  /** The index, of which the server gets a copy at `database`. */
  index: string;
  database: string;
  requestTimeoutMs?: number;
  drawOf: Parameters<typeof startStubs>[0];
}

/** Starts both, with room for all customers, because capacity is not what is measured. */
export async function openScene({ index, database, drawOf, ...own }: Scene) {
  await copyDatabase(index, database);
  const stubs = await startStubs(drawOf);
  const env = {
    ...stubs.env,
    VERBATIM_IN_FLIGHT_MAX: '1000',
    VERBATIM_REQUEST_TIMEOUT_MS: String(own.requestTimeoutMs ?? REQUEST_TIMEOUT_MS),
  };
  const limits = { laneSearchesMax: 1_000, ...own.limits };
  const server = await startServer(database, { ...own, env, limits });
  const close = async (): Promise<void> => {
    await server.stop();
    await stubs.close();
  };
  return { stubs, server, close };
}

/** Runs a scenario on a copy of the index. Its files are in `folder`. */
export async function runScenario(
  scenario: Scenario,
  { index, folder }: { index: string; folder: string },
) {
  const { name, behaviors = {}, seed, everyMs = 0 } = scenario;
  const database = join(folder, `${name.replace(/\W+/g, '-')}.db`);
  const lines: string[] = [];
  const { stubs, server, close } = await openScene({
    ...scenario,
    index,
    database,
    onLine: (line) => lines.push(line),
    drawOf: (provider) =>
      seed === undefined
        ? always(behaviors[provider] ?? 'well')
        : atRandom(createRandom(`${seed} ${provider}`)),
  });
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
  await close();
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

function measuresOf(scenario: Scenario, { stubs, lines, asked, resident, ledger }: Seen) {
  const times = asked.map(({ milliseconds }) => milliseconds);
  const answers = countBy(asked.map(({ status }) => String(status)));
  const outcomes = countBy(lines.flatMap((line) => /"lanes":"(\w+);/.exec(line)?.[1] ?? []));
  const requests = sumOf(Object.values(stubs.counts));
  const arxiv = stubs.timesOf('arxiv');
  const gaps = arxiv.slice(1).map((time, at) => Math.round(time - (arxiv[at] as number)));
  const gapMs = Math.min(...gaps);
  const [start = 0, last = 0] = [resident[0], resident.at(-1)];
  return {
    scenario: scenario.name,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    /** Responses by status. 0: the connection broke. */
    answers,
    /** Searches by lane outcome. */
    outcomes,
    /** The share of searches that lanes served. */
    servedShare: (outcomes['served'] ?? 0) / times.length,
    /** Requests to all stubs by behavior. */
    faults: stubs.counts,
    requestsPerQuestion: requests / times.length,
    arxivRequests: arxiv.length,
    /** Undefined if arXiv got fewer than two requests. */
    arxivGapMsMin: gaps.length > 0 ? gapMs : undefined,
    residentBytes: { start, most: Math.max(...resident), last },
    /** One sentence for each error. */
    wrong: [
      ...ledger,
      ...(gapMs < ARXIV_GAP_MS ? [`arXiv got two requests within ${gapMs} ms`] : []),
      ...(scenario.seconds === undefined ? [] : wrongOfLongRun(answers, outcomes, resident)),
    ],
  };
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
