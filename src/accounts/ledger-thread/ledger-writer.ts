/**
 * Writes the ledger and account changes in a thread of its own. A commit waits for the disk or for
 * another process, and the event loop must not. Operations that arrive during one transaction share
 * the next one.
 */

import type { DamageRegister } from '../../database/damage/damage-register.ts';
import { damageOf } from '../../database/damage/notice-damage.ts';
import { missingDatabase, type OpenOptions } from '../../database/sqlite/connect.ts';
import { identifyFile } from '../../database/sqlite/file-identity.ts';
import { VerbatimError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { every } from '../../workers/every.ts';
import { errorOf } from '../../workers/outcome.ts';
import {
  createPool,
  logDeath,
  type Pool,
  type PoolCounts,
  type ThreadPool,
} from '../../workers/pool.ts';
import type { AnswerMeasures } from '../sqlite/ledger/answer-measures.ts';
import type { HoldRequest } from '../sqlite/ledger/ledger.ts';
import type { AnswerToStore } from '../sqlite/ledger/stored-answers.ts';
import { createEarliestTimer, type EarliestTimer } from './earliest-timer.ts';
import { createLedgerCondition, type LedgerCondition } from './ledger-condition.ts';
import {
  countWrites,
  createWriteCounter,
  type WriteCounter,
  type WrittenCounts,
} from './ledger-counts.ts';
import { noticeLedgerDamage } from './ledger-damage.ts';
import type {
  AccountWriteInput,
  AccountWriteName,
  AccountWriteResult,
  LedgerOperation,
  LedgerResult,
  LedgerTask,
} from './ledger-worker.ts';
import {
  createPendingOperations,
  type PendingOperation,
  type PendingOperations,
} from './pending-operations.ts';
import { refuseUnsettledKeys } from './unsettled-keys.ts';

export type WriteAccounts = <Name extends AccountWriteName>(
  name: Name,
  input: AccountWriteInput<Name>,
) => Promise<AccountWriteResult<Name>>;

/** What the writer has written and has to write, for metrics. */
export interface LedgerCounts extends WrittenCounts {
  /** Operations that wait for a transaction. */
  waiting: number;
  /** Outcomes of searches that wait until the ledger can be written again. */
  pending: number;
  pool: PoolCounts;
}

export interface LedgerWriter {
  /**
   * Holds credit. Resolves, once durable, to the balance left, or to undefined if the balance is
   * too small. Rejects with `key_cap_reached`, with `degraded` if it could not be written, and with
   * `at_capacity` if too many searches are unresolved. A failed hold that may have been written is
   * released.
   */
  hold(request: HoldRequest): Promise<number | undefined>;
  /**
   * Charges the held credit, and counts what is known of the answer. It waits to share a transaction, since no client awaits it. Rejects
   * like `release`.
   */
  settle(requestId: string, measures?: AnswerMeasures): Promise<number | undefined>;
  /**
   * Returns the held credit. Resolves, once durable, to the new balance. Rejects with `degraded` if
   * it could not be written; the operation then stays pending and is retried.
   */
  release(requestId: string): Promise<number | undefined>;
  /**
   * Charges and releases holds and stores the answer to them, in one transaction. Resolves, once
   * durable, to the balance. If it rejects, the caller must release the holds: that changes nothing
   * if they were charged after all. Rejects with `degraded` if it could not be written.
   */
  storeAnswer(answer: AnswerToStore): Promise<number>;
  /**
   * Applies a change from the table in ledger-worker.ts. Resolves, once durable, to its result.
   * Rejects with the change's expected errors, and with `at_capacity` if too many changes wait.
   */
  write: WriteAccounts;
  /**
   * Tries to empty the write-ahead log, and waits at most so long for readers. Resolves to whether
   * it is empty.
   */
  emptyWal(waitMs: number): Promise<boolean>;
  /** Whether the outcome of a hold is still to be decided or to be written. */
  isUnresolved(requestId: string): boolean;
  /** Resolves when everything so far is written or pending. */
  flush(): Promise<void>;
  /** Why the ledger cannot be written; undefined if it can. */
  fault(): string | undefined;
  counts(): LedgerCounts;
  /**
   * Writes what is queued, retries pending operations for at most `waitMs`, then ends the thread.
   * The next start releases holds that are still open.
   */
  close(waitMs: number): Promise<void>;
}

interface QueuedOperation {
  operation: LedgerOperation;
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

export interface QueueOptions {
  log: Log;
  holdDelayMs: number;
  settleDelayMs: number;
  ledgerBatchMax: number;
  ledgerRetryMs: number;
  openHoldsMax: number;
  databaseCheckMs: number;
  accountWritesWaitingMax: number;
}

export interface LedgerWriterOptions extends QueueOptions {
  store: OpenOptions;
  /** Receives damage that the thread meets. */
  damage: Pick<DamageRegister, 'report' | 'all'>;
}

/** Whatever writes lists of operations. It rejects with `degraded` if the machine fails. */
export type LedgerPool = ThreadPool<LedgerTask, LedgerResult[]>;

/** Creates the writer for an existing database file, and for that file only. */
export function createLedgerWriter(options: LedgerWriterOptions): LedgerWriter {
  const { damage, openHoldsMax } = options;
  const pool = noticeLedgerDamage(createLedgerPool(options), damage);
  return refuseUnsettledKeys(createQueuedWriter(options, pool), damage, openHoldsMax);
}

/** Creates a writer that collects operations into lists for a pool. */
export function createQueuedWriter(options: QueueOptions, ledgerPool: LedgerPool): LedgerWriter {
  const counter = createWriteCounter();
  const pool = countWrites(ledgerPool, counter);
  const condition = createLedgerCondition(options.log);
  const pending = createPending(options, pool, condition);
  const waiting: QueuedOperation[] = [];
  let writing: Promise<void> | undefined;

  const fail = (error: unknown, begun: readonly QueuedOperation[]): void => {
    condition.failed(error);
    const notBegun = waiting.splice(0);
    pending.add([
      ...begun.flatMap(({ operation }) => compensationFor(operation)),
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
    // With an empty queue, writeAll would finish before its promise is assigned, which would then
    // stay set.
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
    // A write checks the files too.
    if (writing !== undefined || condition.fault() !== undefined) return;
    await pool.run([]).catch((error: unknown) => fail(error, []));
  });
  const flush = async (): Promise<void> => {
    startWriting();
    await writing;
  };
  return {
    ...createOperations(put, { pending, startWriting, timer, options }),
    emptyWal: createEmptyWal(pool, condition),
    flush,
    fault: condition.fault,
    counts: () => countsOf({ counter, waiting, pending, pool }),
    async close(waitMs) {
      stopChecking();
      await flush();
      const left = await pending.close(waitMs);
      if (left > 0) options.log.error('ledger_not_written', { operations: left });
      await pool.close();
    },
  };
}

function createEmptyWal(
  pool: Pool<LedgerTask, LedgerResult[]>,
  condition: LedgerCondition,
): LedgerWriter['emptyWal'] {
  return async (waitMs) => {
    if (condition.fault() !== undefined) return false;
    const results = await pool.run({ emptyWalWaitMs: waitMs }).catch(() => []);
    return results.some((result) => 'value' in result && result.value === true);
  };
}

interface Counted {
  counter: WriteCounter;
  waiting: readonly QueuedOperation[];
  pending: PendingOperations;
  pool: ThreadPool<LedgerTask, LedgerResult[]>;
}

function countsOf({ counter, waiting, pending, pool }: Counted): LedgerCounts {
  const waits = { waiting: waiting.length, pending: pending.size() };
  return { ...counter.read(), ...waits, pool: pool.counts() };
}

function createPending(
  { log, ledgerBatchMax, ledgerRetryMs }: QueueOptions,
  pool: Pool<LedgerTask, LedgerResult[]>,
  condition: LedgerCondition,
): PendingOperations {
  return createPendingOperations({
    condition,
    batchMax: ledgerBatchMax,
    retryMs: ledgerRetryMs,
    write: (operations) => pool.run(operations),
    onRejected: (operation, result) => {
      const { kind } = operation;
      const requestId = 'requestId' in operation ? operation.requestId : undefined;
      const { message: reason } = errorOfResult(result);
      log.error('ledger_failed', { request_id: requestId, kind, reason });
    },
  });
}

type Put = <Result>(operation: LedgerOperation, start: () => void) => Promise<Result>;

interface Starting {
  pending: PendingOperations;
  startWriting: () => void;
  timer: EarliestTimer;
  options: QueueOptions;
}

/** The operations, each with the time it may wait to share a transaction. */
function createOperations(put: Put, { pending, startWriting, timer, options }: Starting) {
  const { openHoldsMax, holdDelayMs, settleDelayMs, accountWritesWaitingMax } = options;
  // Bounds the pending operations by the open holds.
  const open = new Set<string>();
  const resolve = (operation: PendingOperation, start: () => void) => {
    const resolved = put<number | undefined>(operation, start);
    return resolved.finally(() => open.delete(operation.requestId));
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
    isUnresolved: (requestId: string) => open.has(requestId) || pending.has(requestId),
    settle: (requestId: string, measures?: AnswerMeasures) => {
      const operation = { kind: 'settle' as const, requestId, measures, now: Date.now() };
      return resolve(operation, () => timer.startWithin(settleDelayMs));
    },
    release: (requestId: string) =>
      resolve({ kind: 'release', requestId, now: Date.now() }, startWriting),
    async storeAnswer(answer: AnswerToStore): Promise<number> {
      const balance = await put<number>({ kind: 'answer', answer }, startWriting);
      for (const id of [...answer.charged, ...answer.released]) open.delete(id);
      return balance;
    },
    write: limitWaiting(accountWritesWaitingMax, (name, input) =>
      put({ kind: 'account', name, input }, startWriting),
    ),
  };
}

function createLedgerPool({ store, log }: LedgerWriterOptions): LedgerPool {
  const file = identifyFile(store.path);
  if (file === undefined) throw missingDatabase(store.path);
  // A batch, a retry of pending operations, and the write-ahead log.
  return createPool({
    threads: 1,
    queueMax: 3,
    data: { role: 'ledger', ...store, file },
    onThreadDied: logDeath(log),
  });
}

/** Limits the account changes that may wait. */
function limitWaiting(
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

/** Settles the promise of each operation. */
function deliver(batch: readonly QueuedOperation[], results: readonly LedgerResult[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index];
    if (result !== undefined && 'value' in result) resolve(result.value as never);
    else reject(errorOfResult(result));
  }
}

function errorOfResult(result: LedgerResult | undefined): Error {
  if (result === undefined || 'value' in result) return new Error('the ledger returned no result');
  if (result.failure.code !== undefined) return errorOf(result.failure);
  const error = errorOf(result.failure);
  if (damageOf(error) !== undefined) {
    return new VerbatimError('degraded', undefined, { cause: error });
  }
  return new Error(`the ledger rejected the operation: ${result.failure.message}`);
}

/**
 * Whether the operation is the outcome of a search. The search has happened, so this must be
 * written.
 */
function isOutcome(operation: LedgerOperation): operation is PendingOperation {
  return operation.kind === 'settle' || operation.kind === 'release';
}

/**
 * Returns what must be written after an operation failed, possibly after it was committed. A hold
 * is released; releasing a hold that does not exist changes nothing. The holds of a stored answer are
 * released by its sender. Account changes need nothing, because their senders repeat
 * them.
 */
function compensationFor(operation: LedgerOperation): PendingOperation[] {
  if (isOutcome(operation)) return [operation];
  if (operation.kind !== 'hold') return [];
  return [{ kind: 'release', requestId: operation.requestId, now: Date.now() }];
}
