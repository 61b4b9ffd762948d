/**
 * The accounts on PostgreSQL, shared by any number of nodes. Steps of paid calls go in lists, each in
 * one round trip; other changes have transactions of their own.
 */
import { randomUUID } from 'node:crypto';
import { databaseOptions } from '../../database/postgres/database-options.ts';
import { openMigrated } from '../../database/postgres/migrations/migrate-postgres.ts';
import type { Database } from '../../database/postgres/postgres-database.ts';
import {
  changeOnPostgres,
  readOnPostgres,
  runOnPostgres,
} from '../../database/postgres/run-on-postgres.ts';
import { bind } from '../../database/sql/bind.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings/config.ts';
import { every } from '../../workers/every.ts';
import { createQueuedWriter, type LedgerWriter } from '../ledger-thread/ledger-writer.ts';
import type { AccountStore } from '../ports/account-store.ts';
import { rateState } from '../ports/key-rate-limiter.ts';
import type { NodeStore } from '../ports/node-store.ts';
import type { OperatorAccess } from '../ports/operator-store.ts';
import type { Admission, PaidCallStore } from '../ports/paid-call-store.ts';
import { changes, lookUps, singleChanges, snapshots } from '../sql/account-operations.ts';
import { createAdmissions } from './admissions.ts';
import { assertAccountsHereForServing } from './postgres-account-place.ts';
import { createAnswerCheck } from './postgres-answer-check.ts';
import { createAttempts, deleteOldAttempts } from './postgres-attempts.ts';
import { createPostgresOperator } from './postgres-operator.ts';
import * as calls from './postgres-paid-calls.ts';
import { createStepPool, type NodeLease } from './step-pool.ts';

export interface PostgresAccountsOptions {
  log: Log;
  settings: Settings;
}

/** Connects, and makes the tables if they are missing. */
export async function openPostgresAccounts(
  options: PostgresAccountsOptions,
): Promise<AccountStore & OperatorAccess> {
  const { log, settings } = options;
  const database = await openMigrated(databaseOptions(settings));
  // Each start is another node: nobody mistakes its holds for those of the one before.
  const lease = { nodeId: randomUUID(), leaseMs: settings.nodeLeaseMs };
  const writer = createQueuedWriter({ ...settings, log }, createStepPool(database, lease));
  return {
    ...createPaidCalls(database, writer, settings),
    ...bind(lookUps, (makeWork) => runOnPostgres(database, makeWork())),
    ...bind(snapshots, (makeWork) => readOnPostgres(database, makeWork)),
    ...bind(changes, (makeWork) => changeOnPostgres(database, makeWork)),
    ...bind(singleChanges, (makeWork) => runOnPostgres(database, makeWork())),
    ...createAttempts(database),
    ...createNode(database, writer, { ...lease, ...options }),
    asOperator: (by) => createPostgresOperator(database, by),
  };
}

function createPaidCalls(
  database: Database,
  { hold, settle, release, storeAnswer }: LedgerWriter,
  settings: Settings,
): PaidCallStore {
  const { requestsPerMinute } = settings;
  const admit = createAdmissions(database, settings);
  return {
    hold,
    settle,
    release,
    storeAnswer,
    admit: async (shown) => admissionOf(await admit(shown)),
    admitOwnKey: async (name) =>
      admissionOf(await calls.admitNamed(database, name, requestsPerMinute)),
    async takeRates(key, { count, now }) {
      const perMinute = key.requestsPerMinute ?? requestsPerMinute;
      const input = { keyId: key.id, perMinute, count, now };
      const rates = await calls.takeRates(database, input);
      return rates.map((rate) => rateState({ ...rate, perMinute }));
    },
    findAnswer: (request) => calls.findAnswer(database, request),
  };
}

function admissionOf(found: calls.AdmittedKey | undefined): Admission | undefined {
  if (found === undefined) return undefined;
  const { key, rate, balance, used } = found;
  const { creditsPerMonthMax: cap } = key;
  const credit = { balance, monthLeft: cap === null ? null : cap - used };
  return { key, rate: rateState(rate), credit: rate.allowed ? credit : undefined };
}

/** Renewals in the time of a lease: two may fail. */
const RENEWALS = 3;

function createNode(
  database: Database,
  { flush, fault, counts, close, isUnresolved, release }: LedgerWriter,
  { nodeId, leaseMs, log, settings }: NodeLease & PostgresAccountsOptions,
): NodeStore {
  let stopRenewing = (): void => {};
  const limit = settings.deadHoldsReleasedMax;
  // A list that was given up may arrive late, after the release of its holds.
  const releaseForgotten = async (): Promise<void> => {
    const forgotten = (await calls.listHoldsOf(database, { nodeId, limit })).filter(
      (requestId) => !isUnresolved(requestId),
    );
    await Promise.all(forgotten.map(release));
    if (forgotten.length > 0) log.warn('released_late_holds', { holds: forgotten.length });
  };
  const renewAndRelease = async (): Promise<void> => {
    await calls.renewLease(database, nodeId, leaseMs);
    await releaseForgotten();
    const input = { nodeId, leaseMs, now: Date.now(), limit };
    const released = await calls.releaseDeadHolds(database, input);
    if (released > 0) log.info('released_holds_of_a_crash', { holds: released });
    await deleteOldAttempts(database, { now: Date.now(), keptMax: settings.sharedTriesMax });
  };
  const { accountsAddress: url, accountSilenceMs: silenceMs } = settings;
  const check = createAnswerCheck({ url, silenceMs });
  const stopAsking = every(settings.databaseCheckMs, async () => {
    if (!(await check.ask())) database.abandon();
  });
  return {
    async joinAsNode() {
      await calls.renewLease(database, nodeId, leaseMs);
      await assertAccountsHereForServing(database);
      // A failure is a fault that the next step reports.
      stopRenewing = every(leaseMs / RENEWALS, () => renewAndRelease().catch(() => {}));
      // Whether others are dead shows only after this node has lived for a while.
      return { released: 0 };
    },
    flush,
    fault,
    counts,
    readAnswerTotals: () => calls.readAnswerTotals(database),
    deleteExpiredAnswers: (input) => calls.deleteExpiredAnswers(database, input),
    deleteOldMeasures: (input) => calls.deleteOldMeasures(database, input),
    async close(waitMs) {
      stopRenewing();
      await close(waitMs);
      stopAsking();
      check.end();
      // If the database is away, the lease ends by itself.
      await calls.endLease(database, nodeId).catch(() => {});
      await database.close();
    },
  };
}
