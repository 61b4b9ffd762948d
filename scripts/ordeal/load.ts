/** Generates load in a process of its own: clients in closed loops, and requests at a fixed rate (an open loop). */
import { createClient, headerOf, searchRequest } from '../measure/clients.ts';
import { task } from '../measure/processes.ts';
import { sampleTitles } from '../measure/sample.ts';
import { quantile } from '../measure/statistics.ts';

/** What a load generator is told. It travels as JSON. */
export interface LoadPlan {
  port: number;
  seconds: number;
  /** Clients end when their connection breaks, and responses with 200 are listed: for kills. */
  endsWithServer?: boolean;
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
interface Times {
  p50: number;
  p99: number;
}

/** What it reports. */
export interface LoadReport {
  /** Responses by status. 0: the connection broke. */
  statuses: Record<string, number>;
  accepted: Times;
  /** Times of 429 and 503. */
  rejected: Times;
  /** Responses with 200 per second, of those in time. */
  servedPerSecond: number;
  /** The ids of responses with 200, if the plan ends with the server. */
  requestIds: string[];
  /** Requests of an open loop that found no free connection. */
  unsent: number;
}

/** How often an open loop sends what is due. */
const TICK_MS = 1;
const REJECTIONS = [429, 503];

/** Resolves when all clients have their last responses. */
export const startLoad = task('load', async (plan: LoadPlan): Promise<LoadReport> => {
  const load = createLoad(plan);
  await (plan.ratePerSecond === undefined ? runClosedLoops(load) : runOpenLoop(load));
  for (const { close } of load.clients) close();
  return load.report();
});

interface LoadClient {
  /** Sends one search, whose time counts from `since`. Resolves to whether the client goes on. */
  ask(since: number): Promise<boolean>;
  close(): void;
}

type Load = ReturnType<typeof createLoad>;

function createLoad({ port, seconds, endsWithServer, secrets, clients, ...rest }: LoadPlan) {
  const titles = sampleTitles();
  const deadline = performance.now() + seconds * 1_000;
  const statuses: Record<string, number> = {};
  const accepted: number[] = [];
  const rejected: number[] = [];
  const requestIds: string[] = [];
  let asked = 0;
  let served = 0;
  let unsent = 0;
  const createLoadClient = (_: unknown, at: number): LoadClient => {
    const client = createClient(port);
    const secret = secrets[at % secrets.length] as string;
    return {
      close: client.close,
      async ask(since) {
        // No question is asked twice, because a cached answer must not look like speed.
        const question = `${titles[asked % titles.length]} ${process.pid} ${asked++}`;
        const { status, head } = await client.send(searchRequest(question, { port, secret }));
        const now = performance.now();
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 200) accepted.push(now - since);
        if (REJECTIONS.includes(status)) rejected.push(now - since);
        if (status === 200 && now <= deadline) served++;
        if (status === 200 && endsWithServer) requestIds.push(headerOf(head, 'x-request-id') ?? '');
        return status !== 0 || !endsWithServer;
      },
    };
  };
  return {
    deadline,
    intervalMs: 1_000 / (rest.ratePerSecond ?? 1),
    clients: Array.from({ length: clients }, createLoadClient),
    miss: () => unsent++,
    report: (): LoadReport => ({
      statuses,
      accepted: timesOf(accepted),
      rejected: timesOf(rejected),
      servedPerSecond: served / seconds,
      requestIds,
      unsent,
    }),
  };
}

async function runClosedLoops({ clients, deadline }: Load): Promise<void> {
  const run = async ({ ask }: LoadClient): Promise<void> => {
    while (performance.now() < deadline && (await ask(performance.now())));
  };
  await Promise.all(clients.map(run));
}

async function runOpenLoop({ clients, deadline, intervalMs, miss }: Load): Promise<void> {
  const idle = [...clients];
  const waiting = new Set<Promise<unknown>>();
  let due = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      for (; due <= Math.min(now, deadline); due += intervalMs) {
        const client = idle.pop();
        if (client === undefined) {
          miss();
          continue;
        }
        const asking = client.ask(due).then(() => {
          idle.push(client);
          waiting.delete(asking);
        });
        waiting.add(asking);
      }
      if (now < deadline) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(waiting);
}

function timesOf(milliseconds: readonly number[]): Times {
  if (milliseconds.length === 0) return { p50: 0, p99: 0 };
  return { p50: quantile(milliseconds, 0.5), p99: quantile(milliseconds, 0.99) };
}
