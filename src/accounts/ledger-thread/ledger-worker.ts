/** The ledger thread: writes each list of operations in one transaction. */

import { damageOf } from '../../database/damage/notice-damage.ts';
import { openExistingStore } from '../../database/open.ts';
import type { Sql } from '../../database/sql/sql.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { faultOf } from '../../database/sqlite/faults.ts';
import {
  type FileIdentity,
  identifyFile,
  watchFiles,
} from '../../database/sqlite/file-identity.ts';
import { runOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import { deletingSecurely } from '../../database/sqlite/secure-delete.ts';
import { emptyWal } from '../../database/sqlite/wal.ts';
import { probeWriting } from '../../database/sqlite/write-probe.ts';
import { VerbatimError } from '../../errors.ts';
import { failureOf, type Outcome } from '../../workers/outcome.ts';
import { changes, singleChanges } from '../sql/account-operations.ts';
import { addIndexUpdate, endIndexUpdate } from '../sql/index-updates.ts';
import { changeAsOperator } from '../sql/operator-changes.ts';
import { addServerSample } from '../sql/server-samples.ts';
import { type AnswerMeasures, deleteOldMeasures } from '../sqlite/ledger/answer-measures.ts';
import { createLedger, type HoldRequest, type Ledger } from '../sqlite/ledger/ledger.ts';
import {
  type AnswerToStore,
  deleteExpiredAnswers,
  prepareStoreAnswer,
} from '../sqlite/ledger/stored-answers.ts';
import { applyAroundDamage, MetDamage } from './apply-around-damage.ts';

export type LedgerOperation =
  | ({ kind: 'hold' } & HoldRequest)
  | { kind: 'settle'; requestId: string; now: number; measures?: AnswerMeasures | undefined }
  | { kind: 'release'; requestId: string; now: number }
  | { kind: 'answer'; answer: AnswerToStore }
  | ({ kind: 'account' } & AccountWrite)
  | { kind: 'probe' };

/**
 * The result of a ledger step is the balance after it, or undefined if it did not apply. The result
 * of an account change is what its function returns.
 */
export type LedgerResult = Outcome<unknown>;

export interface LedgerWorkerOptions extends OpenOptions {
  /**
   * The file that the service serves. The thread writes to no other file, even under the same name.
   */
  file: FileIdentity;
}

/** Operations to write, or how long an attempt to empty the write-ahead log may wait. */
export type LedgerTask = LedgerOperation[] | { emptyWalWaitMs: number };

type ApplyAll = (operations: LedgerOperation[]) => LedgerResult[];

/**
 * Returns a function that writes operations. It throws `degraded` with the cause if the machine
 * fails. Without operations it only checks that the files are in place. After an attempt to empty
 * the write-ahead log, the one value says whether it is empty.
 */
export function createLedgerHandler(
  options: LedgerWorkerOptions,
): (task: LedgerTask) => LedgerResult[] {
  // Opened with the first task. A failed attempt is repeated, since the machine may have recovered.
  let opened: ReturnType<typeof open> | undefined;
  return (task) => {
    try {
      opened ??= open(options);
      const problem = opened.fileProblem();
      if (problem !== undefined) throw new VerbatimError('degraded', problem);
      if (!Array.isArray(task)) return [{ value: emptyWal(opened.db, task.emptyWalWaitMs) }];
      return task.length === 0 ? [] : opened.applyAll(task);
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const fault = faultOf(cause);
      throw fault === undefined ? error : new VerbatimError('degraded', fault, { cause });
    }
  };
}

function open(options: LedgerWorkerOptions) {
  assertServed(options);
  const db = openExistingStore(options);
  try {
    // Check again: the name may point to another file by now.
    assertServed(options);
    const fileProblem = watchFiles(options.path, options.file);
    return { db, applyAll: createApplyAll(db), fileProblem };
  } catch (error) {
    db.close();
    throw error;
  }
}

function assertServed({ path, file }: LedgerWorkerOptions): void {
  const found = identifyFile(path);
  if (found?.device === file.device && found.inode === file.inode) return;
  throw new VerbatimError('degraded', 'the database was deleted, moved or replaced');
}

function createApplyAll(db: Connection): ApplyAll {
  const ledger = createLedger(db);
  const steps = { ledger, storeAnswer: prepareStoreAnswer(db, ledger) };
  // Inside the outer transaction this is a savepoint: a failure undoes one operation.
  const applyOne = db.transaction((operation: LedgerOperation) => apply(db, steps, operation));
  const applyAll = db.transaction((operations: LedgerOperation[]): LedgerResult[] =>
    operations.map((operation, index) => {
      try {
        return { value: applyOne(operation) };
      } catch (error) {
        if (damageOf(error) !== undefined) throw new MetDamage(index, error);
        // A full disk fails all operations. SQLite may also have rolled back the transaction, and
        // later operations would each commit on their own.
        if (faultOf(error) !== undefined || !db.inTransaction) throw error;
        return { failure: failureOf(error) };
      }
    }),
  );
  return (operations) => applyAroundDamage(operations, applyAll.immediate, releaseInstead);
}

/** A call that cannot be charged is free. What cannot be released either is so at the next start. */
function releaseInstead(operation: LedgerOperation): LedgerOperation | undefined {
  if (operation.kind !== 'settle') return undefined;
  const { requestId, now } = operation;
  return { kind: 'release', requestId, now };
}

interface Steps {
  ledger: Ledger;
  storeAnswer: ReturnType<typeof prepareStoreAnswer>;
}

function apply(
  db: Connection,
  { ledger, storeAnswer }: Steps,
  operation: LedgerOperation,
): unknown {
  switch (operation.kind) {
    case 'hold':
      return ledger.hold(operation);
    case 'settle':
      return ledger.settle(operation.requestId, operation.now, operation.measures);
    case 'release':
      return ledger.release(operation.requestId, operation.now);
    case 'answer':
      return storeAnswer(operation.answer);
    case 'account':
      return applyAccountWrite(db, operation);
    case 'probe':
      return probeWriting(db);
  }
}

/** Changes of accounts, on either database. */
const accountChanges = { ...changes, ...singleChanges, changeAsOperator };
/** Changes of what only an SQLite file has. */
const ownChanges = {
  deleteExpiredAnswers,
  deleteOldMeasures,
  addServerSample,
  addIndexUpdate,
  endIndexUpdate,
};

type AccountChanges = typeof accountChanges;
type OwnChanges = typeof ownChanges;
export type AccountWriteName = keyof AccountChanges | keyof OwnChanges;
export type AccountWriteInput<Name extends AccountWriteName> = Name extends keyof AccountChanges
  ? Parameters<AccountChanges[Name]>[0]
  : Name extends keyof OwnChanges
    ? Parameters<OwnChanges[Name]>[1]
    : never;
export type AccountWriteResult<Name extends AccountWriteName> = Name extends keyof AccountChanges
  ? ReturnType<AccountChanges[Name]> extends Sql<infer Result>
    ? Result
    : never
  : Name extends keyof OwnChanges
    ? ReturnType<OwnChanges[Name]>
    : never;

/** A change, named by its function, and its input. Inputs are cloned between threads. */
export interface AccountWrite {
  name: AccountWriteName;
  input: unknown;
}

/** Deletions that leave nothing in the free parts of the file. */
const wantedGone: ReadonlySet<AccountWriteName> = new Set([
  'deleteCustomer',
  'deleteAnswersOf',
  'deleteOldQuestions',
  'deleteRequestsOf',
  'deleteUnconfirmed',
  'forgetAsked',
]);

/** Applies the change, in the caller's transaction. Returns or throws what the function does. */
export function applyAccountWrite(db: Connection, { name, input }: AccountWrite): unknown {
  if (name in ownChanges) {
    const change = ownChanges[name as keyof OwnChanges] as (
      db: Connection,
      input: unknown,
    ) => unknown;
    return change(db, input);
  }
  const makeWork = accountChanges[name as keyof AccountChanges] as (input: unknown) => Sql<unknown>;
  const change = (): unknown => runOnSqlite(db, makeWork(input));
  return wantedGone.has(name) ? deletingSecurely(db, change) : change();
}
