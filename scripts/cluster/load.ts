/** Clients in closed loops. Each notes what it got. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Customer } from '../measure/accounts.ts';
import type { Random } from '../measure/random.ts';
import { createClient, type Exchange } from './client.ts';

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
  const ask = createClient(port, customer);
  for (let request = 1; !stopping.aborted; request++) {
    const question = questions[random.below(questions.length)];
    const isRepeatable = random.below(REPEATABLE_SHARE) === 0;
    const idempotencyKey = isRepeatable ? `${number}-${request}` : undefined;
    const search = { query: `${question} ${number} ${request}`, limit: 3, idempotencyKey };
    const repeatsUntil = Date.now() + (isRepeatable ? REPEATS_MS_MAX : 0);
    do {
      const exchange = await ask(search);
      exchanges.push(exchange);
      if (!REPEATED.includes(exchange.status)) break;
      await wait(PAUSE_MS);
    } while (Date.now() < repeatsUntil && !abandoning.aborted);
  }
}
