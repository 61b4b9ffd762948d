/**
 * Writes the ledger in a thread of its own: a commit waits for the disk, and the event loop must
 * not. All operations that arrive while one transaction is being written share the next one.
 */
import { messageOf } from '../errors.ts';
import { createLedger, type HoldRequest, type Ledger } from '../store/ledger.ts';
import { type OpenOptions, openStore } from '../store/open.ts';
import { createPool, type Pool } from './pool.ts';

export type LedgerOperation =
  | ({ kind: 'hold' } & HoldRequest)
  | { kind: 'settle' | 'release'; requestId: string; now: number };

/** The balance after the operation, undefined where it did not apply; or why it failed. */
export type LedgerResult = { balance: number | undefined } | { failure: string };

export function createLedgerHandler(
  options: OpenOptions,
): (operations: LedgerOperation[]) => LedgerResult[] {
  const db = openStore(options);
  const ledger = createLedger(db);
  // Within the outer transaction this is a savepoint: one failure undoes one operation.
  const applyOne = db.transaction((operation: LedgerOperation) => apply(ledger, operation));
  const applyAll = db.transaction((operations: LedgerOperation[]): LedgerResult[] =>
    operations.map((operation) => {
      try {
        return { balance: applyOne(operation) };
      } catch (error) {
        return { failure: messageOf(error) };
      }
    }),
  );
  return (operations) => applyAll.immediate(operations);
}

function apply(ledger: Ledger, operation: LedgerOperation): number | undefined {
  switch (operation.kind) {
    case 'hold':
      return ledger.hold(operation);
    case 'settle':
      return ledger.settle(operation.requestId, operation.now);
    case 'release':
      return ledger.release(operation.requestId, operation.now);
  }
}

export interface LedgerWriter {
  /** Durable when it resolves; to the balance left, or undefined where it is too small. */
  hold(request: HoldRequest): Promise<number | undefined>;
  /** Keeps the credit. Waits a little for company: nobody waits for it. */
  settle(requestId: string): Promise<number | undefined>;
  /** Gives the credit back; durable when it resolves, to the balance after it. */
  release(requestId: string): Promise<number | undefined>;
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
  resolve: (balance: number | undefined) => void;
  reject: (error: Error) => void;
}

export interface LedgerWriterOptions {
  store: OpenOptions;
  settleDelayMs: number;
  ledgerBatchMax: number;
  ledgerTriesMax: number;
}

export function createLedgerWriter(options: LedgerWriterOptions): LedgerWriter {
  const pool: Pool<LedgerOperation[], LedgerResult[]> = createPool({
    ...{ threads: 1, queueMax: 1 },
    data: { role: 'ledger', ...options.store },
  });
  const waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
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
    clearTimeout(timer);
    timer = undefined;
    // With nothing to write, writeAll would end before its promise is assigned, which then stayed.
    if (waiting.length > 0) writing ??= writeAll();
  };
  const put = (operation: LedgerOperation, start: () => void): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ operation, failures: 0, resolve, reject });
      start();
    });
  const startLater = (): void => {
    timer ??= setTimeout(startWriting, options.settleDelayMs);
  };

  const flush = async (): Promise<void> => {
    startWriting();
    await writing;
  };

  return {
    hold: (request) => put({ kind: 'hold', ...request }, startWriting),
    settle: (requestId) => put({ kind: 'settle', requestId, now: Date.now() }, startLater),
    release: (requestId) => put({ kind: 'release', requestId, now: Date.now() }, startWriting),
    flush,
    async close() {
      await flush();
      await pool.close();
    },
  };
}

/** One transaction. Returns the operations of a transaction that failed as a whole. */
async function writeBatch(
  pool: Pool<LedgerOperation[], LedgerResult[]>,
  batch: readonly Waiting[],
): Promise<readonly Waiting[]> {
  try {
    const results = await pool.run(batch.map(({ operation }) => operation));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index] ?? { failure: 'no result' };
      if ('failure' in result) reject(new Error(`the ledger refused: ${result.failure}`));
      else resolve(result.balance);
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
 * A hold that could not be written is refused, nothing has happened yet. But what a search has come
 * to, charged or given back, is tried again: each try waits for the lock for as long as a hold.
 */
function mayTryAgain(
  { operation, failures, reject, lastError }: Waiting,
  triesMax: number,
): boolean {
  if (operation.kind !== 'hold' && failures < triesMax) return true;
  reject(new Error('the ledger failed', { cause: lastError }));
  return false;
}
