/**
 * Writes the ledger, and what customers change of their accounts, in a thread of its own: a commit
 * waits for the disk, or for another process, and the event loop must not. All operations that
 * arrive while one transaction is being written share the next one.
 */
import { VerbatimError } from '../errors.ts';
import type {
  AccountWriteInput,
  AccountWriteName,
  AccountWriteResult,
} from '../store/account-writes.ts';
import type { HoldRequest } from '../store/ledger.ts';
import type { OpenOptions } from '../store/open.ts';
import type { EventResult, PaymentEvent } from '../store/payment-events.ts';
import type { OpenedCheckout, Order, PlacedOrder } from '../store/payments.ts';
import { createAlarm } from './alarm.ts';
import type { LedgerOperation, LedgerResult } from './ledger-worker.ts';
import { errorOf, failureOf } from './outcome.ts';
import { createPool, type Pool } from './pool.ts';

export type WriteAccounts = <Name extends AccountWriteName>(
  name: Name,
  input: AccountWriteInput<Name>,
) => Promise<AccountWriteResult<Name>>;

/** What payments write; each is durable when it resolves, and may be repeated where it failed. */
export interface PaymentWriter {
  /** See `placeOrder`. */
  placeOrder(order: Order): Promise<PlacedOrder>;
  /** See `openCheckout`. */
  openCheckout(checkout: OpenedCheckout): Promise<void>;
  /** See `recordPaymentEvent`. */
  recordPaymentEvent(event: PaymentEvent): Promise<EventResult>;
}

export interface LedgerWriter extends PaymentWriter {
  /**
   * Durable when it resolves; to the balance left, or undefined where it is too small. Rejects
   * with `key_cap_reached`.
   */
  hold(request: HoldRequest): Promise<number | undefined>;
  /** Keeps the credit. Waits for company: nobody waits for it. */
  settle(requestId: string): Promise<number | undefined>;
  /** Gives the credit back; durable when it resolves, to the balance after it. */
  release(requestId: string): Promise<number | undefined>;
  /**
   * Makes a change of store/account-writes.ts, durable when it resolves to what that returns. It
   * rejects with the expected errors of that, and with `at_capacity` where too many changes wait.
   */
  write: WriteAccounts;
  /** Resolves when all that has been put in so far is written. */
  flush(): Promise<void>;
  /** Writes what waits, then ends the thread. */
  close(): Promise<void>;
}

interface Waiting {
  operation: LedgerOperation;
  /** Times that it has failed so far. */
  failures: number;
  lastError?: unknown;
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

export interface LedgerWriterOptions {
  store: OpenOptions;
  holdDelayMs: number;
  settleDelayMs: number;
  ledgerBatchMax: number;
  ledgerTriesMax: number;
  accountWritesWaitingMax: number;
}

export function createLedgerWriter(options: LedgerWriterOptions): LedgerWriter {
  const pool: Pool<LedgerOperation[], LedgerResult[]> = createPool({
    ...{ threads: 1, queueMax: 1 },
    data: { role: 'ledger', ...options.store },
  });
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, options.ledgerBatchMax);
      const failed = await writeBatch(pool, batch);
      waiting.unshift(...failed.filter((one) => mayTryAgain(one, options.ledgerTriesMax)));
    }
    writing = undefined;
  };
  const startWriting = (): void => {
    alarm.stop();
    // With nothing to write, writeAll would end before its promise is assigned, which then stayed.
    if (waiting.length > 0) writing ??= writeAll();
  };
  const alarm = createAlarm(startWriting);
  const put = <Result>(operation: LedgerOperation, start: () => void): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ operation, failures: 0, resolve, reject });
      start();
    });
  const write = atMost(options.accountWritesWaitingMax, (name, input) =>
    put({ kind: 'account', name, input }, startWriting),
  );

  const flush = async (): Promise<void> => {
    startWriting();
    await writing;
  };

  return {
    hold: (request) => put({ kind: 'hold', ...request }, () => alarm.within(options.holdDelayMs)),
    settle: (requestId) =>
      put({ kind: 'settle', requestId, now: Date.now() }, () =>
        alarm.within(options.settleDelayMs),
      ),
    release: (requestId) => put({ kind: 'release', requestId, now: Date.now() }, startWriting),
    write,
    placeOrder: (order) => put({ kind: 'order', order }, startWriting),
    openCheckout: (checkout) => put({ kind: 'checkout', checkout }, startWriting),
    recordPaymentEvent: (event) =>
      put({ kind: 'payment_event', event, now: Date.now() }, startWriting),
    flush,
    async close() {
      await flush();
      await pool.close();
    },
  };
}

/** Refuses a change to an account where so many wait. */
function atMost(
  waitingMax: number,
  put: (name: AccountWriteName, input: AccountWriteInput<AccountWriteName>) => Promise<unknown>,
): WriteAccounts {
  let waiting = 0;
  const write = async <Name extends AccountWriteName>(
    name: Name,
    input: AccountWriteInput<Name>,
  ): Promise<AccountWriteResult<Name>> => {
    if (waiting >= waitingMax) throw new VerbatimError('at_capacity');
    waiting++;
    try {
      return (await put(name, input)) as AccountWriteResult<Name>;
    } finally {
      waiting--;
    }
  };
  return write;
}

/** One transaction. Returns the operations of a transaction that failed as a whole. */
async function writeBatch(
  pool: Pool<LedgerOperation[], LedgerResult[]>,
  batch: readonly Waiting[],
): Promise<readonly Waiting[]> {
  try {
    const results = await pool.run(batch.map(({ operation }) => operation));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index] ?? { failure: failureOf(new Error('no result')) };
      if ('value' in result) resolve(result.value as never);
      else if (result.failure.code !== undefined) reject(errorOf(result.failure));
      else reject(new Error(`the ledger refused: ${result.failure.message}`));
    }
    return [];
  } catch (error) {
    for (const one of batch) {
      one.failures++;
      one.lastError = error;
    }
    return batch;
  }
}

/**
 * What could not be written of a hold, an account or a payment is refused: nothing has happened yet,
 * or whoever sent it repeats it. But what a search has come to, charged or given back, is tried
 * again: each try waits for the lock for as long as a hold.
 */
function mayTryAgain(
  { operation, failures, reject, lastError }: Waiting,
  triesMax: number,
): boolean {
  const hasHappened = operation.kind === 'settle' || operation.kind === 'release';
  if (hasHappened && failures < triesMax) return true;
  reject(new Error('the ledger failed', { cause: lastError }));
  return false;
}
