/**
 * The accounts in an SQLite file. The ledger's thread makes every change. Readers use the connection of
 * this thread: each is a few look-ups by an index, which take microseconds.
 */

import type { DamageRegister } from '../../database/damage/damage-register.ts';
import { noticingAll } from '../../database/damage/notice-damage.ts';
import { ACCOUNTS } from '../../database/damage/parts.ts';
import { bind } from '../../database/sql/bind.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { readOnSqlite, runOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings/config.ts';
import { logDeath, type PoolCounts } from '../../workers/pool.ts';
import type { AccountWriteName } from '../ledger-thread/ledger-worker.ts';
import {
  createLedgerWriter,
  type LedgerWriter,
  type LedgerWriterOptions,
} from '../ledger-thread/ledger-writer.ts';
import { createOperatorReadPool } from '../ledger-thread/operator-read-pool.ts';
import type { AccountStore } from '../ports/account-store.ts';
import { createAttemptCounter } from '../ports/attempt-counter.ts';
import type { NodeStore } from '../ports/node-store.ts';
import type { OperatorAccess } from '../ports/operator-store.ts';
import { changes, lookUps, singleChanges, snapshots } from '../sql/account-operations.ts';
import { listIndexUpdates, type UpdateStore } from '../sql/index-updates.ts';
import { listServerSamples, type SampleStore } from '../sql/server-samples.ts';
import { noticeInAccounts } from './damaged-accounts.ts';
import { releaseOpenHolds } from './ledger/ledger.ts';
import { createAnswerReader } from './ledger/stored-answers.ts';
import { createServedOperator } from './sqlite-operator.ts';
import { createPaidCalls, type PaidCallSettings } from './sqlite-paid-calls.ts';

/** What only SQLite has, besides the store. */
export type SqliteAccounts = AccountStore & {
  /** Of this server, in its own file. */
  samples: SampleStore;
  /** Of this server, in its own file. */
  updates: UpdateStore;
  /**
   * Tries to empty the write-ahead log, and waits at most so long for readers. Resolves to whether it is
   * empty.
   */
  emptyWal(waitMs: number): Promise<boolean>;
  /** The ledger's thread. */
  threadCounts(): PoolCounts;
};

/** The accounts of a server, and what its operator does with them. */
export type ServedSqliteAccounts = SqliteAccounts & OperatorAccess;

export interface SqliteSettings extends PaidCallSettings {
  throttledMax: number;
}

export interface SqliteAccountsOptions {
  /** For reads. The caller closes it after the store. */
  db: Connection;
  store: OpenOptions;
  log: Log;
  damage: DamageRegister;
  settings: Omit<LedgerWriterOptions, 'store' | 'log' | 'damage'> &
    SqliteSettings &
    Pick<Settings, 'operatorThreads' | 'operatorReadsWaitingMax'>;
}

/** Opens the accounts of an existing database, under the lock for serving. */
export function openSqliteAccounts(options: SqliteAccountsOptions): ServedSqliteAccounts {
  const { db, store, log, damage, settings } = options;
  const writer = createLedgerWriter({ store, log, damage, ...settings });
  const accounts = noticeInAccounts(createSqliteAccounts(db, writer, settings), damage);
  const reads = createOperatorReadPool(
    { store },
    {
      threads: settings.operatorThreads,
      queueMax: settings.operatorReadsWaitingMax,
      onThreadDied: logDeath(log),
    },
  );
  return {
    ...accounts,
    asOperator: (by) => {
      const operator = createServedOperator({ reads, write: writer.write }, by);
      return noticingAll(damage, () => ACCOUNTS, operator);
    },
    async close(waitMs) {
      await Promise.all([accounts.close(waitMs), reads.close()]);
    },
  };
}

/** Puts the store together from a connection for reads and a writer. */
export function createSqliteAccounts(
  db: Connection,
  writer: LedgerWriter,
  settings: SqliteSettings,
): SqliteAccounts {
  const { write, emptyWal } = writer;
  const inThread = (_: unknown, name: AccountWriteName, input: unknown): Promise<unknown> =>
    write(name, input as never);
  return {
    ...createPaidCalls(db, writer, settings),
    ...bind(lookUps, async (makeWork) => runOnSqlite(db, makeWork())),
    ...bind(snapshots, async (makeWork) => readOnSqlite(db, makeWork())),
    ...bind(changes, inThread),
    ...bind(singleChanges, inThread),
    ...createAttemptCounter(settings.throttledMax),
    ...createNode(db, writer),
    emptyWal,
    threadCounts: () => writer.counts().pool,
    samples: createSampleStore(db, write),
    updates: createUpdateStore(db, write),
  };
}

/** The samples of a server in the file of its index, wherever its accounts are. */
export function createSampleStore(db: Connection, write: LedgerWriter['write']): SampleStore {
  return {
    add: (input) => write('addServerSample', input),
    list: (since) => listServerSamples(db, since),
  };
}

/** Updates of the index in the file of the server, wherever its accounts are. */
export function createUpdateStore(db: Connection, write: LedgerWriter['write']): UpdateStore {
  return {
    add: (input) => write('addIndexUpdate', input),
    end: (input) => write('endIndexUpdate', input),
    list: (limit) => listIndexUpdates(db, limit),
  };
}

function createNode(db: Connection, writer: LedgerWriter): NodeStore {
  const { write, flush, fault, counts, close } = writer;
  const answers = createAnswerReader(db);
  return {
    // At the start nothing else runs, so this connection may write.
    joinAsNode: async () => ({ released: releaseOpenHolds(db, Date.now()) }),
    flush,
    fault,
    counts,
    close,
    readAnswerTotals: async () => answers.totals(),
    deleteExpiredAnswers: (input) => write('deleteExpiredAnswers', input),
    deleteOldMeasures: (input) => write('deleteOldMeasures', input),
  };
}
