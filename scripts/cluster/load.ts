/** Clients in closed loops. Each notes what it got. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, connect, type Reply } from '../bench/connection.ts';
import type { Random } from '../bench/random.ts';
import { type Exchange, OK } from './exchange.ts';

export interface Customer {
  id: number;
  secret: string;
}

export interface LoadOptions {
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
const REPEATED = new Set([0, 409, 429, 500, 502, 503, 504]);

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

interface ClientOptions extends LoadOptions {
  exchanges: Exchange[];
  stopping: AbortSignal;
  abandoning: AbortSignal;
}

async function runClient(number: number, options: ClientOptions): Promise<void> {
  const { customers, questions, random, exchanges, stopping, abandoning, port } = options;
  const [hot, ...others] = customers;
  const customer = (number % 2 === 0 ? hot : others[(number >> 1) % others.length]) ?? hot;
  if (customer === undefined) return;
  const ask = createAsker(port);
  for (let request = 1; !stopping.aborted; request++) {
    const question = questions[random.below(questions.length)];
    const isRepeatable = random.below(REPEATABLE_SHARE) === 0;
    const idempotencyKey = isRepeatable ? `${number}-${request}` : undefined;
    const body = JSON.stringify({ query: `${question} ${number} ${request}`, limit: 3 });
    const repeatsUntil = Date.now() + (isRepeatable ? REPEATS_MS_MAX : 0);
    do {
      const sentAt = Date.now();
      const reply = await ask(toRequest(body, customer.secret, idempotencyKey));
      const exchange = toExchange(reply, { sentAt, customerId: customer.id, idempotencyKey });
      exchanges.push(exchange);
      if (!REPEATED.has(exchange.status)) break;
      await wait(PAUSE_MS);
    } while (Date.now() < repeatsUntil && !abandoning.aborted);
  }
}

/** A client's connection, which it opens again after it has ended. Resolves to undefined if it breaks. */
function createAsker(port: number): (request: Buffer) => Promise<Reply | undefined> {
  let connection: Connection | undefined;
  return async (request) => {
    try {
      connection ??= await connect(port);
      const reply = await connection.send(request);
      if (/^connection: *close/im.test(reply.head)) throw new Ended(reply);
      return reply;
    } catch (error) {
      connection?.close();
      connection = undefined;
      return error instanceof Ended ? error.reply : undefined;
    }
  };
}

/** A connection that its last answer has ended. */
class Ended extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super('the connection has ended');
    this.reply = reply;
  }
}

function toRequest(body: string, secret: string, idempotencyKey: string | undefined): Buffer {
  const headers = [
    'POST /v1/search HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

interface Sent {
  customerId: number;
  idempotencyKey: string | undefined;
  sentAt: number;
}

function toExchange(
  reply: Reply | undefined,
  { customerId, idempotencyKey, sentAt }: Sent,
): Exchange {
  const header = (name: string): string | undefined =>
    new RegExp(`^${name}: *(\\S+)`, 'im').exec(reply?.head ?? '')?.[1];
  const fields = {
    idempotencyKey,
    requestId: header('x-request-id'),
    originalRequestId: header('x-original-request-id'),
    node: header('x-node'),
    bodyHash:
      reply?.status === OK ? createHash('sha256').update(reply.body).digest('hex') : undefined,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    customerId,
    status: reply?.status ?? 0,
    sentAt,
    endedAt: Date.now(),
    ...Object.fromEntries(known),
  };
}
