/** Generates load: clients in closed loops, and requests at a fixed rate (an open loop). */
import { type Connection, connect, searchRequest } from '../../bench/connection.ts';
import { quantile } from '../../bench/statistics.ts';
import type { LoadGroup, LoadPlan, LoadReport, LoadReports, Times } from './plan.ts';

/** How often an open loop sends what is due. */
const TICK_MS = 1;
const REJECTIONS = new Set([429, 503]);

/** Runs a plan. Resolves when all groups have their last responses. */
export async function generateLoad(plan: LoadPlan): Promise<LoadReports> {
  let asked = 0;
  const nextQuestion = (): string => {
    const title = plan.titles[asked % plan.titles.length];
    // No question is asked twice, because a cached answer must not look like speed.
    return `${title} ${process.pid} ${asked++}`;
  };
  const deadline = performance.now() + plan.seconds * 1_000;
  const reports = await Promise.all(
    plan.groups.map(async (group): Promise<[string, LoadReport]> => {
      const tally = createTally();
      const endsWithServer = plan.endsWithServer === true;
      const load: Load = { port: plan.port, deadline, nextQuestion, group, tally, endsWithServer };
      await (group.ratePerSecond === undefined ? runClosedLoops(load) : runOpenLoop(load));
      return [group.name, tally.report(plan.seconds)];
    }),
  );
  return Object.fromEntries(reports);
}

interface Load {
  port: number;
  /** When no more requests are sent (performance.now()). */
  deadline: number;
  nextQuestion: () => string;
  group: LoadGroup;
  tally: Tally;
  endsWithServer: boolean;
}

interface Client {
  /** Sends one search, whose time counts from `since`. Resolves to whether the client goes on. */
  ask(since: number): Promise<boolean>;
  close(): void;
}

async function runClosedLoops(load: Load): Promise<void> {
  const runClient = async (secret: string): Promise<void> => {
    const client = createClient(load, secret);
    while (performance.now() < load.deadline && (await client.ask(performance.now())));
    client.close();
  };
  await Promise.all(secretsOf(load.group).map(runClient));
}

async function runOpenLoop(load: Load): Promise<void> {
  const { group, deadline, tally } = load;
  const clients = secretsOf(group).map((secret) => createClient(load, secret));
  const idle = [...clients];
  const waiting = new Set<Promise<void>>();
  const intervalMs = 1_000 / (group.ratePerSecond ?? 1);
  let due = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      for (; due <= Math.min(now, deadline); due += intervalMs) {
        const client = idle.pop();
        if (client === undefined) {
          tally.unsent();
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
  for (const client of clients) client.close();
}

function secretsOf({ clients, secrets }: LoadGroup): string[] {
  return Array.from({ length: clients }, (_, i) => secrets[i % secrets.length] as string);
}

/** Creates a client with one connection, which it reopens after a break. */
function createClient(load: Load, secret: string): Client {
  const { port, nextQuestion, tally, deadline, endsWithServer } = load;
  let connection: Connection | undefined;
  return {
    async ask(since) {
      try {
        connection ??= await connect(port);
        const { status, head } = await connection.send(
          searchRequest(nextQuestion(), { port, secret }),
        );
        const now = performance.now();
        tally.add(status, now - since, now <= deadline);
        if (endsWithServer && status === 200) tally.served(head);
      } catch {
        tally.add(0, performance.now() - since, false);
        connection?.close();
        connection = undefined;
        return !endsWithServer;
      }
      return true;
    },
    close: () => connection?.close(),
  };
}

interface Tally {
  add(status: number, milliseconds: number, isInTime: boolean): void;
  /** Notes the request id of a response with 200. */
  served(head: string): void;
  unsent(): void;
  report(seconds: number): LoadReport;
}

function createTally(): Tally {
  const statuses = new Map<number, number>();
  const accepted: number[] = [];
  const rejected: number[] = [];
  const requestIds: string[] = [];
  let served = 0;
  let unsent = 0;
  return {
    add(status, milliseconds, isInTime) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) accepted.push(milliseconds);
      if (REJECTIONS.has(status)) rejected.push(milliseconds);
      if (status === 200 && isInTime) served++;
    },
    served(head) {
      requestIds.push(/^x-request-id: *(\S+)/im.exec(head)?.[1] ?? '');
    },
    unsent: () => {
      unsent++;
    },
    report: (seconds) => ({
      statuses: Object.fromEntries(statuses),
      accepted: timesOf(accepted),
      rejected: timesOf(rejected),
      servedPerSecond: served / seconds,
      requestIds,
      unsent,
    }),
  };
}

function timesOf(milliseconds: readonly number[]): Times {
  if (milliseconds.length === 0) return { p50: 0, p99: 0, max: 0 };
  return {
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
    max: quantile(milliseconds, 1),
  };
}
