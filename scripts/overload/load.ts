/** Generates load in a process of its own: clients in closed loops, and requests at a fixed rate (an open loop). */
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient, searchRequest } from '../measure/clients.ts';
import { task } from '../measure/processes.ts';
import { sampleTitles } from '../measure/sample.ts';
import { quantile } from '../measure/statistics.ts';

/** What a load generator is told. It travels as JSON. */
export interface LoadPlan {
  port: number;
  seconds: number;
  /** The keys' secrets. Clients take them in turn. */
  secrets: readonly string[];
  /** Connections. */
  clients: number;
  /**
   * Open loop: so many requests per second, whatever the server does. If undefined, each client
   * sends its next request as soon as it has a response (closed loop).
   */
  ratePerSecond?: number;
}

/** Times in milliseconds, 0 without any. */
type Times = Record<'p50' | 'p99', number>;

/** What it reports. */
export interface LoadReport {
  /** Responses by status. 0: the connection broke. */
  statuses: Record<string, number>;
  accepted: Times;
  /** Times of 429 and 503. */
  rejected: Times;
  /** Responses with 200 per second, of those in time. */
  servedPerSecond: number;
  /** Requests of an open loop that found no free connection. */
  unsent: number;
}

/** How often an open loop sends what is due. */
const TICK_MS = 1;
const REJECTIONS = [429, 503];

interface LoadClient {
  client: Client;
  secret: string;
}

/** Resolves when all clients have their last responses. */
export const startLoad = task('load', async (plan: LoadPlan): Promise<LoadReport> => {
  const { port, seconds, secrets, ratePerSecond } = plan;
  const titles = sampleTitles();
  const deadline = performance.now() + seconds * 1_000;
  const statuses: Record<string, number> = {};
  const accepted: number[] = [];
  const rejected: number[] = [];
  let asked = 0;
  let served = 0;
  /** Sends one search, whose time counts from `since`. */
  const ask = async ({ client, secret }: LoadClient, since: number): Promise<void> => {
    // No question is asked twice, because a cached answer must not look like speed.
    const question = `${titles[asked % titles.length]} ${process.pid} ${asked++}`;
    const { status } = await client.send(searchRequest(question, { port, secret }));
    const now = performance.now();
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) accepted.push(now - since);
    if (REJECTIONS.includes(status)) rejected.push(now - since);
    if (status === 200 && now <= deadline) served++;
  };
  const clients = Array.from({ length: plan.clients }, (_, at): LoadClient => {
    return { client: createClient(port), secret: secrets[at % secrets.length] as string };
  });
  let unsent = 0;
  if (ratePerSecond === undefined) await runClosedLoops(clients, ask, deadline);
  else unsent = await runOpenLoop(clients, ask, { deadline, intervalMs: 1_000 / ratePerSecond });
  for (const { client } of clients) client.close();
  const times = { accepted: timesOf(accepted), rejected: timesOf(rejected) };
  return { statuses, ...times, servedPerSecond: served / seconds, unsent };
});

type Ask = (client: LoadClient, since: number) => Promise<void>;

async function runClosedLoops(
  clients: readonly LoadClient[],
  ask: Ask,
  deadline: number,
): Promise<void> {
  const run = async (client: LoadClient): Promise<void> => {
    while (performance.now() < deadline) await ask(client, performance.now());
  };
  await Promise.all(clients.map(run));
}

/** Resolves to the number of requests that found no free connection. */
async function runOpenLoop(
  clients: readonly LoadClient[],
  ask: Ask,
  { deadline, intervalMs }: { deadline: number; intervalMs: number },
): Promise<number> {
  const idle = [...clients];
  const waiting = new Set<Promise<unknown>>();
  let due = performance.now();
  let unsent = 0;
  while (performance.now() < deadline) {
    for (; due <= Math.min(performance.now(), deadline); due += intervalMs) {
      const client = idle.pop();
      if (client === undefined) {
        unsent++;
        continue;
      }
      const asking = ask(client, due).then(() => {
        idle.push(client);
        waiting.delete(asking);
      });
      waiting.add(asking);
    }
    await wait(TICK_MS);
  }
  await Promise.all(waiting);
  return unsent;
}

function timesOf(milliseconds: readonly number[]): Times {
  if (milliseconds.length === 0) return { p50: 0, p99: 0 };
  return { p50: quantile(milliseconds, 0.5), p99: quantile(milliseconds, 0.99) };
}
