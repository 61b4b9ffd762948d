/**
 * Writes the ledger, and what customers change of their accounts, in a thread of its own: a commit
 * waits for the disk, or for another process, and the event loop must not. All operations that
 * arrive while one transaction is being written share the next one.
 */
import { VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { HoldRequest } from '../store/accounts/ledger.ts';
import type { EventResult, PaymentEvent } from '../store/accounts/payment-events.ts';
import type { OpenedCheckout, Order, PlacedOrder } from '../store/accounts/payments.ts';
import { identifyFile } from '../store/database/file-identity.ts';
import { missingDatabase, type OpenOptions } from '../store/database/open.ts';
import { createEarliestTimer, type EarliestTimer } from './earliest-timer.ts';
import { createLedgerCondition, type LedgerCondition } from './ledger-condition.ts';
import type {
  AccountWriteInput,
  AccountWriteName,
  AccountWriteResult,
  LedgerOperation,
  LedgerResult,
} from './ledger-worker.ts';
import { errorOf } from './outcome.ts';
import {
  createPendingOperations,
  type PendingOperation,
  type PendingOperations,
} from './pending-operations.ts';
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
   * with `key_cap_reached`, with `degraded` where it could not be written, and with `at_capacity`
   * where too many searches are unresolved. A hold that may have been written although it failed
   * is released.
   */
  hold(request: HoldRequest): Promise<number | undefined>;
  /** Keeps the credit. Waits for company: nobody waits for it. Rejects as `release` does. */
  settle(requestId: string): Promise<number | undefined>;
  /**
   * Gives the credit back; durable when it resolves, to the balance after it. Rejects with
   * `degraded` where it could not be written: then it is pending, and tried again until it is.
   */
  release(requestId: string): Promise<number | undefined>;
  /**
   * Makes a change of store/account-writes.ts, durable when it resolves to what that returns. It
   * rejects with the expected errors of that, and with `at_capacity` where too many changes wait.
   */
  write: WriteAccounts;
  /** Resolves when all that has been put in so far is written, or is pending. */
  flush(): Promise<void>;
  /** Why the ledger cannot be written; undefined while it can. */
  fault(): string | undefined;
  /**
   * Writes what waits, and for so long at most what is pending; then ends the thread. Holds that are
   * still open then are released at the next start.
   */
  close(waitMs: number): Promise<void>;
}

interface QueuedOperation {
  operation: LedgerOperation;
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

export interface LedgerWriterOptions {
  store: OpenOptions;
  log: Log;
  holdDelayMs: number;
  settleDelayMs: number;
  ledgerBatchMax: number;
  ledgerRetryMs: number;
  openHoldsMax: number;
  databaseCheckMs: number;
  accountWritesWaitingMax: number;
}

/** The database must be there; the writer writes to that file alone. */
export function createLedgerWriter(options: LedgerWriterOptions): LedgerWriter {
  const pool = createLedgerPool(options.store);
  const condition = createLedgerCondition(options.log);
  const pending = createPending(options, pool, condition);
  const waiting: QueuedOperation[] = [];
  let writing: Promise<void> | undefined;

  const fail = (error: unknown, begun: readonly QueuedOperation[]): void => {
    condition.failed(error);
    const notBegun = waiting.splice(0);
    pending.add([
      ...begun.flatMap(({ operation }) => remedyOf(operation)),
      ...notBegun.flatMap(({ operation }) => (isOutcome(operation) ? [operation] : [])),
    ]);
    for (const { reject } of [...begun, ...notBegun]) reject(new VerbatimError('degraded'));
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, options.ledgerBatchMax);
      const operations = batch.map(({ operation }) => operation);
      await pool.run(operations).then(
        (results) => deliver(batch, results),
        (error: unknown) => fail(error, batch),
      );
    }
    writing = undefined;
  };
  const startWriting = (): void => {
    timer.cancel();
    // With nothing to write, writeAll would end before its promise is assigned, which then stayed.
    if (waiting.length > 0) writing ??= writeAll();
  };
  const timer = createEarliestTimer(startWriting);
  const put = <Result>(operation: LedgerOperation, start: () => void): Promise<Result> => {
    if (condition.fault() !== undefined) {
      if (isOutcome(operation)) pending.add([operation]);
      return Promise.reject(new VerbatimError('degraded'));
    }
    return new Promise<Result>((resolve, reject) => {
      waiting.push({ operation, resolve, reject });
      start();
    });
  };
  const stopChecking = every(options.databaseCheckMs, async () => {
    // Whatever is written checks too.
    if (writing !== undefined || condition.fault() !== undefined) return;
    await pool.run([]).catch((error: unknown) => fail(error, []));
  });
  const flush = async (): Promise<void> => {
    startWriting();
    await writing;
  };
  return {
    ...createOperations(put, { startWriting, timer, options }),
    flush,
    fault: condition.fault,
    async close(waitMs) {
      stopChecking();
      await flush();
      const left = await pending.close(waitMs);
      if (left > 0) options.log.error('ledger_not_written', { operations: left });
      await pool.close();
    },
  };
}

function createPending(
  { log, ledgerBatchMax, ledgerRetryMs }: LedgerWriterOptions,
  pool: Pool<LedgerOperation[], LedgerResult[]>,
  condition: LedgerCondition,
): PendingOperations {
  return createPendingOperations({
    condition,
    batchMax: ledgerBatchMax,
    retryMs: ledgerRetryMs,
    write: (operations) => pool.run(operations),
    onRejected: ({ kind }, result) => {
      log.error('ledger_failed', { kind, reason: errorOfResult(result).message });
    },
  });
}

type Put = <Result>(operation: LedgerOperation, start: () => void) => Promise<Result>;

interface Starting {
  startWriting: () => void;
  timer: EarliestTimer;
  options: LedgerWriterOptions;
}

/** What can be put in, each with the time that it may wait for company. */
function createOperations(put: Put, { startWriting, timer, options }: Starting) {
  const { openHoldsMax, holdDelayMs, settleDelayMs, accountWritesWaitingMax } = options;
  // What may have to be pending is bounded by what may be held.
  const open = new Set<string>();
  const resolve = (kind: 'settle' | 'release', requestId: string, start: () => void) => {
    const resolved = put<number | undefined>({ kind, requestId, now: Date.now() }, start);
    return resolved.finally(() => open.delete(requestId));
  };
  return {
    async hold(request: HoldRequest): Promise<number | undefined> {
      if (open.size >= openHoldsMax) throw new VerbatimError('at_capacity');
      const { requestId } = request;
      open.add(requestId);
      let balance: number | undefined;
      try {
        const start = (): void => timer.startWithin(holdDelayMs);
        balance = await put<number | undefined>({ kind: 'hold', ...request }, start);
        return balance;
      } finally {
        if (balance === undefined) open.delete(requestId);
      }
    },
    settle: (id: string) => resolve('settle', id, () => timer.startWithin(settleDelayMs)),
    release: (id: string) => resolve('release', id, startWriting),
    write: atMost(accountWritesWaitingMax, (name, input) =>
      put({ kind: 'account', name, input }, startWriting),
    ),
    placeOrder: (order: Order) => put<PlacedOrder>({ kind: 'order', order }, startWriting),
    openCheckout: (checkout: OpenedCheckout) =>
      put<void>({ kind: 'checkout', checkout }, startWriting),
    recordPaymentEvent: (event: PaymentEvent) =>
      put<EventResult>({ kind: 'payment_event', event, now: Date.now() }, startWriting),
  };
}

function createLedgerPool(store: OpenOptions): Pool<LedgerOperation[], LedgerResult[]> {
  const file = identifyFile(store.path);
  if (file === undefined) throw missingDatabase(store.path);
  return createPool({ threads: 1, queueMax: 2, data: { role: 'ledger', ...store, file } });
}

/** Does something again and again, one at a time, in pauses of so long; returns what ends it. */
function every(pauseMs: number, work: () => Promise<void>): () => void {
  let isWorking = false;
  const timer = setInterval(() => {
    if (isWorking) return;
    isWorking = true;
    void work().finally(() => {
      isWorking = false;
    });
  }, pauseMs);
  timer.unref();
  return () => clearInterval(timer);
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

/** Tells each operation what came of it. */
function deliver(batch: readonly QueuedOperation[], results: readonly LedgerResult[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index];
    if (result !== undefined && 'value' in result) resolve(result.value as never);
    else reject(errorOfResult(result));
  }
}

function errorOfResult(result: LedgerResult | undefined): Error {
  if (result === undefined || 'value' in result) return new Error('the ledger gave no result');
  if (result.failure.code !== undefined) return errorOf(result.failure);
  return new Error(`the ledger refused: ${result.failure.message}`);
}

/** Whether it is what a search has come to: that has happened, and must be written. */
function isOutcome(operation: LedgerOperation): operation is PendingOperation {
  return operation.kind === 'settle' || operation.kind === 'release';
}

/**
 * What is to be written after an operation has failed, perhaps only in being reported. A hold is
 * released: where there is none, that changes nothing. An account or a payment needs nothing:
 * whoever sent it repeats it.
 */
function remedyOf(operation: LedgerOperation): PendingOperation[] {
  if (isOutcome(operation)) return [operation];
  if (operation.kind !== 'hold') return [];
  return [{ kind: 'release', requestId: operation.requestId, now: Date.now() }];
}
