/** Clients in closed loops. Each notes what it sent and what came back. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Customer } from '../measure/accounts.ts';
import {
  type Client,
  createClient,
  headerOf,
  type Reply,
  searchRequest,
  type Target,
} from '../measure/clients.ts';
import type { Random } from '../measure/random.ts';

export const OK = 200;

/** What a client sent, and what came back. */
export interface Exchange {
  /** Which customer asked. */
  customerId: number;
  /** The key of a request that the client repeats until it is answered. */
  idempotencyKey?: string;
  /** 0: the connection ended, or was not to be had. */
  status: number;
  /** Undefined if no node answered. */
  requestId?: string;
  /** The request that was charged, if this answer repeats another one. */
  originalRequestId?: string;
  node?: string;
  /** SHA-256 of the body of an answer. */
  bodyHash?: string;
  /** Milliseconds since 1970. */
  sentAt: number;
  endedAt: number;
}

interface LoadOptions {
  port: number;
  clients: number;
  /** The first one is hot: half of the clients are its. */
  customers: readonly Customer[];
  questions: readonly string[];
  random: Random;
}

export interface Load {
  /** What was noted so far. It grows. */
  exchanges: readonly Exchange[];
  /** Lets each client end its request, and repeat it if it has an Idempotency-Key. */
  stop(): Promise<void>;
  /** Lets each client end as soon as its request has ended, whatever the answer. */
  abandon(): void;
}

/** One of so many requests has an `Idempotency-Key`. */
const REPEATABLE_SHARE = 3;
/** A client that was refused waits as long before it asks again. */
const PAUSE_MS = 100;
/** A request with a key is given up after so long: no outage of a trial lasts longer. */
const REPEATS_MS_MAX = 150_000;
/** Statuses after which the same request may succeed: no answer, in flight elsewhere, overload. */
const REPEATED = [0, 409, 429, 500, 502, 503, 504];

export function startLoad(options: LoadOptions): Load {
  const exchanges: Exchange[] = [];
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const aborts = { stopping: stopping.signal, abandoning: abandoning.signal };
  const clients = Array.from({ length: options.clients }, (_, number) =>
    runClient(number, { ...options, ...aborts, exchanges }),
  );
  return {
    exchanges,
    async stop() {
      stopping.abort();
      await Promise.all(clients);
    },
    abandon() {
      stopping.abort();
      abandoning.abort();
    },
  };
}

async function runClient(
  number: number,
  options: LoadOptions & { exchanges: Exchange[]; stopping: AbortSignal; abandoning: AbortSignal },
): Promise<void> {
  const { customers, questions, random, exchanges, stopping, abandoning, port } = options;
  const [hot, ...others] = customers;
  const customer = (number % 2 === 0 ? hot : others[(number >> 1) % others.length]) ?? hot;
  if (customer === undefined) return;
  const { id: customerId, secret } = customer;
  const client = createClient(port);
  for (let request = 1; !stopping.aborted; request++) {
    const question = `${questions[random.below(questions.length)]} ${number} ${request}`;
    const isRepeatable = random.below(REPEATABLE_SHARE) === 0;
    const idempotencyKey = isRepeatable ? `${number}-${request}` : undefined;
    const repeatsUntil = Date.now() + (isRepeatable ? REPEATS_MS_MAX : 0);
    do {
      const exchange = await search(client, question, { port, secret }, idempotencyKey);
      exchanges.push({ ...exchange, customerId });
      if (!REPEATED.includes(exchange.status)) break;
      await wait(PAUSE_MS);
    } while (Date.now() < repeatsUntil && !abandoning.aborted);
  }
}

async function search(
  client: Client,
  query: string,
  target: Target,
  idempotencyKey: string | undefined,
): Promise<Omit<Exchange, 'customerId'>> {
  const headers = idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`];
  const sentAt = Date.now();
  const reply = await client.send(searchRequest(query, target, { limit: 3, headers }));
  const known = Object.entries({ ...noted(reply), idempotencyKey }).filter(([, value]) => value);
  return { status: reply.status, sentAt, endedAt: Date.now(), ...Object.fromEntries(known) };
}

function noted({ status, head, body }: Reply): Partial<Record<keyof Exchange, unknown>> {
  return {
    requestId: headerOf(head, 'x-request-id'),
    originalRequestId: headerOf(head, 'x-original-request-id'),
    node: headerOf(head, 'x-node'),
    bodyHash: status === OK ? createHash('sha256').update(body).digest('hex') : undefined,
  };
}
