/** Runs one scenario: a server, a stub for each lane, and customers who ask questions. */
import { join } from 'node:path';
import { createRandom } from '../bench/random.ts';
import { type Server, startServer } from '../bench/server.ts';
import { quantile } from '../bench/statistics.ts';
import { copy } from '../bench/tasks/copy.ts';
import { askOn, createCustomers, drawOutOfDomainQuestion } from '../soak/customers.ts';
import type { StubName } from '../soak/stub-responses.ts';
import { type Behavior, type ProviderStub, startProviderStub } from './provider-stub.ts';

export const providerNames: readonly StubName[] = ['arxiv', 'semantic_scholar', 'crossref'];

export interface Scenario {
  name: string;
  /** The providers that misbehave. */
  behaviors: Partial<Record<StubName, Behavior>>;
  customers: number;
  /** The number of questions per customer. */
  questions: number;
  /** The minimum time between two questions of a customer. */
  everyMs: number;
  /** Whether all customers ask the same question. */
  isSame?: boolean;
  /** Settings for this scenario only. */
  settings?: Record<string, string>;
}

export interface Measures {
  scenario: string;
  p50Ms: number;
  p99Ms: number;
  /** The median time that a search waits for its lanes, without scoring. */
  waitP50Ms: number;
  /** Searches by lane outcome. */
  outcomes: Record<string, number>;
  /** The share of searches that lanes served. */
  servedShare: number;
  requestsPerQuestion: number;
  /** Searches that found the circuit of a healthy provider open. */
  wronglyOpen: number;
  /** Responses other than 200. */
  errors: number;
}

export interface Running {
  stubs: ProviderStub[];
  server: Server;
}

/** Starts a server with a stub for each lane. */
export async function startWithStubs(
  database: string,
  {
    behaviors,
    settings,
    onLine,
  }: Pick<Scenario, 'behaviors' | 'settings'> & { onLine?: (line: string) => void },
): Promise<Running> {
  const stubs = await Promise.all(
    providerNames.map((name) => startProviderStub(name, behaviors[name] ?? 'well')),
  );
  const server = await startServer(database, {
    env: { ...environment(stubs), ...settings },
    ...(onLine === undefined ? {} : { onLine }),
  });
  return { stubs, server };
}

export function environment(stubs: readonly ProviderStub[]): Record<string, string> {
  const [arxiv, semanticScholar, crossref] = stubs;
  return {
    VERBATIM_LANES: 'arxiv,semantic_scholar,web',
    VERBATIM_LANE_CONTACT: 'lanes@example.org',
    VERBATIM_ARXIV_URL: arxiv?.url ?? '',
    VERBATIM_SEMANTIC_SCHOLAR_URL: semanticScholar?.url ?? '',
    VERBATIM_CROSSREF_URL: crossref?.url ?? '',
    VERBATIM_IN_FLIGHT_MAX: '1000',
    VERBATIM_LANE_SEARCHES_MAX: '1000',
  };
}

export async function runScenario(
  scenario: Scenario,
  { index, folder }: { index: string; folder: string },
): Promise<Measures> {
  const { name, behaviors, questions, everyMs, isSame = false, settings = {} } = scenario;
  const database = join(folder, `${name.replace(/\W+/g, '-')}.db`);
  await copy({ from: index, to: database });
  const lines: string[] = [];
  const { stubs, server } = await startWithStubs(database, {
    behaviors,
    settings,
    onLine: (line: string) => lines.push(line),
  });
  const customers = createCustomers(database, scenario.customers, 'lanes');
  const random = createRandom(name);
  const same = drawOutOfDomainQuestion(random);
  const milliseconds = await Promise.all(
    customers.map((customer) => {
      let left = questions;
      return askOn(customer, server.port, {
        nextQuestion() {
          left--;
          return isSame ? same : drawOutOfDomainQuestion(random);
        },
        everyMs,
        goOn: () => left > 0,
      });
    }),
  );
  await server.stop();
  const requests = stubs.reduce((sum, stub) => sum + stub.requests.length, 0);
  for (const stub of stubs) await stub.close();
  const all = milliseconds.flat();
  const traces = lines.flatMap((line) => /"lanes":"(\w+;[^"]*)"/.exec(line)?.[1] ?? []);
  const outcomes: Record<string, number> = {};
  for (const trace of traces) {
    const [outcome = ''] = trace.split(';');
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  const statuses = customers.flatMap((customer) => [...customer.statuses]);
  return {
    scenario: name,
    outcomes,
    p50Ms: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    waitP50Ms: quantile(traces.map(waitOf), 0.5),
    servedShare: (outcomes['served'] ?? 0) / all.length,
    requestsPerQuestion: requests / (isSame ? 1 : all.length),
    wronglyOpen: traces.filter((trace) => hasWronglyOpen(trace, behaviors)).length,
    errors: statuses.reduce((sum, [status, count]) => sum + (status === 200 ? 0 : count), 0),
  };
}

function hasWronglyOpen(trace: string, behaviors: Scenario['behaviors']): boolean {
  return trace.split(', ').some((report) => {
    const provider = /;provider=(\w+)/.exec(report)?.[1] as StubName | undefined;
    if (provider === undefined || !report.includes('reason=circuit_open')) return false;
    return !['hanging', 'failing'].includes(behaviors[provider] ?? 'well');
  });
}

/** How long the search waited for its slowest lane, in milliseconds. */
function waitOf(trace: string): number {
  const [, ...reports] = trace.split(', ');
  return Math.max(0, ...reports.map((report) => Number(/;ms=(\d+)/.exec(report)?.[1])));
}
