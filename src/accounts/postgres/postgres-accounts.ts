/**
 * The accounts on PostgreSQL, shared by any number of nodes. Steps of paid calls go in lists, each in
 * one round trip; other changes have transactions of their own.
 */
import { randomUUID } from 'node:crypto';
import { databaseOptions } from '../../database/postgres/database-options.ts';
import { openMigrated } from '../../database/postgres/migrations/migrate-postgres.ts';
import type { Database } from '../../database/postgres/postgres-database.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings/config.ts';
import { every } from '../../workers/every.ts';
import { createQueuedWriter, type LedgerWriter } from '../ledger-thread/ledger-writer.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { BillingStore } from '../ports/billing-store.ts';
import type { ClientStore } from '../ports/client-store.ts';
import { rateState } from '../ports/key-rate-limiter.ts';
import type { KeyStore } from '../ports/key-store.ts';
import type { MemberStore } from '../ports/member-store.ts';
import type { NodeStore } from '../ports/node-store.ts';
import type { NoticeStore } from '../ports/notice-store.ts';
import type { OperatorSignInStore } from '../ports/operator-sign-in-store.ts';
import type { OperatorAccess } from '../ports/operator-store.ts';
import type { Admission, PaidCallStore } from '../ports/paid-call-store.ts';
import type { PaymentStore } from '../ports/payment-store.ts';
import type { ReportStore } from '../ports/report-store.ts';
import type { SecondFactorStore } from '../ports/second-factor-store.ts';
import type { SignInStore } from '../ports/sign-in-store.ts';
import { createAdmissions } from './admissions.ts';
import { assertAccountsHereForServing } from './postgres-account-place.ts';
import { createAnswerCheck } from './postgres-answer-check.ts';
import * as outcomes from './postgres-answer-outcomes.ts';
import { createAttempts, deleteOldAttempts } from './postgres-attempts.ts';
import { createAutomaticTopUps } from './postgres-automatic-top-up-store.ts';
import * as notices from './postgres-billing-notices.ts';
import * as buyers from './postgres-buyers.ts';
import * as clients from './postgres-clients.ts';
import * as customers from './postgres-customers.ts';
import * as deletion from './postgres-delete-customer.ts';
import * as keys from './postgres-keys.ts';
import * as members from './postgres-members.ts';
import { createPostgresOperator } from './postgres-operator.ts';
import * as operatorSignIns from './postgres-operator-sign-ins.ts';
import * as calls from './postgres-paid-calls.ts';
import * as payments from './postgres-payments.ts';
import * as reports from './postgres-reports.ts';
import * as secondFactors from './postgres-second-factors.ts';
import * as links from './postgres-sign-in-links.ts';
import * as signIns from './postgres-sign-ins.ts';
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
    ...createSignIns(database),
    ...createSecondFactors(database),
    ...createOperatorSignIns(database),
    ...createMembers(database),
    readDeletionFacts: (input) => deletion.readDeletionFacts(database, input),
    deleteCustomer: (input) => deletion.deleteCustomer(database, input),
    deleteAnswersOf: (input) => deletion.deleteAnswersOf(database, input),
    ...createKeys(database),
    ...createReports(database),
    ...createBilling(database),
    ...createAutomaticTopUps(database),
    ...createNotices(database),
    ...createClients(database),
    ...createPayments(database),
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
    readBalance: (customerId) => calls.readBalance(database, customerId),
    readKeyAccount: (key, { period }) => calls.readKeyAccount(database, key, period),
  };
}

function admissionOf(found: calls.AdmittedKey | undefined): Admission | undefined {
  if (found === undefined) return undefined;
  const { key, rate, balance, used } = found;
  const { creditsPerMonthMax: cap } = key;
  const credit = { balance, monthLeft: cap === null ? null : cap - used };
  return { key, rate: rateState(rate), credit: rate.allowed ? credit : undefined };
}

function createSignIns(database: Database): SignInStore {
  return {
    addCustomer: (input) =>
      database.transaction((queries) => customers.addCustomer(queries, input)),
    createLink: (input) => links.createLink(database, input),
    findLink: (input) => links.findLink(database, input),
    findLogin: (email) => signIns.findLogin(database, email),
    loginOf: (memberId) => signIns.loginOf(database, memberId),
    startSession: (checked) => signIns.startSession(database, checked),
    setPasswordByLink: (input) => signIns.setPasswordByLink(database, input),
    replacePassword: (change) => signIns.replacePassword(database, change),
    renewHash: (input) => signIns.renewHash(database, input),
    findSession: (input) => signIns.findSession(database, input),
    listSessions: (input) => signIns.listSessions(database, input),
    endNamedSession: (input) => signIns.endNamedSession(database, input),
    touchSession: (input) => signIns.touchSession(database, input),
    endSession: (input) => signIns.endSession(database, input),
    endSessions: (input) => database.transaction((queries) => signIns.endSessions(queries, input)),
  };
}

function createSecondFactors(database: Database): SecondFactorStore {
  return {
    findSecondFactor: (email) => secondFactors.findSecondFactor(database, email),
    enableSecondFactor: (input) => secondFactors.enableSecondFactor(database, input),
    useSecondFactor: (input) => secondFactors.useSecondFactor(database, input),
    renewRecoveryCodes: (input) => secondFactors.renewRecoveryCodes(database, input),
    disableSecondFactor: (input) => secondFactors.disableSecondFactor(database, input),
  };
}

function createOperatorSignIns(database: Database): OperatorSignInStore {
  const within =
    <Input, Result>(change: (database: Database, input: Input) => Promise<Result>) =>
    (input: Input): Promise<Result> =>
      change(database, input);
  return {
    hasOperators: () => operatorSignIns.hasOperators(database),
    findOperatorLink: within(operatorSignIns.findOperatorLink),
    enrollOperator: within(operatorSignIns.enrollOperator),
    findOperatorLogin: within(operatorSignIns.findOperatorLogin),
    operatorLoginOf: within(operatorSignIns.operatorLoginOf),
    startOperatorSession: within(operatorSignIns.startOperatorSession),
    replaceOperatorPassword: within(operatorSignIns.replaceOperatorPassword),
    replaceOperatorFactor: within(operatorSignIns.replaceOperatorFactor),
    renewOperatorCodes: within(operatorSignIns.renewOperatorCodes),
    findOperatorSession: within(operatorSignIns.findOperatorSession),
    touchOperatorSession: within(operatorSignIns.touchOperatorSession),
    endOperatorSession: within(operatorSignIns.endOperatorSession),
    listOperatorSessions: within(operatorSignIns.listOperatorSessions),
    endNamedOperatorSession: within(operatorSignIns.endNamedOperatorSession),
    endOperatorSessions: (input) =>
      database.transaction((queries) => operatorSignIns.endOperatorSessions(queries, input)),
  };
}

function createMembers(database: Database): MemberStore {
  return {
    listMembers: (customerId) => members.listMembers(database, customerId),
    inviteMember: (input) => members.inviteMember(database, input),
    renewInvitation: (input) => members.renewInvitation(database, input),
    setMemberRole: (input) => members.setMemberRole(database, input),
    removeMember: (input) => members.removeMember(database, input),
  };
}

function createKeys(database: Database): KeyStore {
  return {
    listOwnKeys: (input) => keys.listOwnKeys(database, input),
    assertRoomForKey: (input) => keys.assertRoomForKey(database, input),
    createOwnKey: (input) => database.transaction((queries) => keys.createOwnKey(queries, input)),
    revokeOwnKey: (input) => keys.revokeOwnKey(database, input),
    setOwnKeyCap: (input) => keys.setOwnKeyCap(database, input),
    setOwnKeyLanes: (input) => keys.setOwnKeyLanes(database, input),
    editOwnKey: (input) => keys.editOwnKey(database, input),
    rotateOwnSecret: (input) => keys.rotateOwnSecret(database, input),
    setLowBalance: (input) =>
      database.transaction((queries) => customers.setLowBalance(queries, input)),
    setCustomerLanes: (input) => customers.setCustomerLanes(database, input),
  };
}

function createReports(database: Database): ReportStore {
  return {
    readOverview: (input) =>
      database.snapshot(async (queries) => ({
        balance: await calls.readBalance(queries, input.customerId),
        keys: await keys.listOwnKeys(queries, input),
        days: await reports.usageByDay(queries, input),
      })),
    readActivityPage: (request) => reports.readActivityPage(database, request),
    readActivity: (request) =>
      database.snapshot(async (queries) => ({
        page: await reports.readActivityPage(queries, request),
        totals: await reports.countActivity(queries, request),
      })),
    readLedgerPage: (request) => reports.readLedgerPage(database, request),
    listOwnQuestions: (customerId) => outcomes.listOwnQuestions(database, customerId),
    readUsage: (range) =>
      database.snapshot(async (queries) => ({
        byDay: await reports.readUsageDetails(queries, range, 'day'),
        byKey: await reports.readUsageDetails(queries, range, 'key_id'),
      })),
  };
}

function createBilling(database: Database): BillingStore {
  return {
    readBilling: (request) =>
      database.snapshot(async (queries) => ({
        balance: await calls.readBalance(queries, request.customerId),
        ...(await payments.readPaymentPage(queries, request)),
      })),
    findOwnPayment: (input) => payments.findOwnPayment(database, input),
    findBuyer: (input) => buyers.findBuyer(database, input),
    saveBuyer: (input) => buyers.saveBuyer(database, input),
  };
}

function createNotices(database: Database): NoticeStore {
  return {
    listDueNotices: (input) => notices.listDueNotices(database, input),
    claimNotice: (input) => notices.claimNotice(database, input),
    returnNotice: (input) => notices.returnNotice(database, input),
  };
}

function createClients(database: Database): ClientStore {
  return {
    addCode: (input) => clients.addCode(database, input),
    isKnownCode: (code) => clients.isKnownCode(database, code),
    redeemCode: (input) => clients.redeemCode(database, input),
    keyOfRefreshToken: (token) => clients.keyOfRefreshToken(database, token),
    refreshGrant: (input) => clients.refreshGrant(database, input),
    isTokenOfGrant: async (token) => (await clients.grantIdOf(database, token)) !== undefined,
    revokeToken: (input) => clients.revokeToken(database, input),
  };
}

function createPayments(database: Database): PaymentStore {
  return {
    placeOrder: (order) => payments.placeOrder(database, order),
    openCheckout: (checkout) => payments.openCheckout(database, checkout),
    recordPaymentEvent: (event) =>
      payments.recordPaymentEvent(database, { event, now: Date.now() }),
  };
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
    deleteOldQuestions: (input) => outcomes.deleteOldQuestions(database, input),
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
