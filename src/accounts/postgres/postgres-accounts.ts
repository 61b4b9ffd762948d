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
import { createTries, deleteOldTries } from './postgres-tries.ts';
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
    readDeletionFacts: (given) => deletion.readDeletionFacts(database, given),
    deleteCustomer: (given) => deletion.deleteCustomer(database, given),
    deleteAnswersOf: (given) => deletion.deleteAnswersOf(database, given),
    ...createKeys(database),
    ...createReports(database),
    ...createBilling(database),
    ...createAutomaticTopUps(database),
    ...createNotices(database),
    ...createClients(database),
    ...createPayments(database),
    ...createTries(database),
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
      const given = { keyId: key.id, perMinute, count, now };
      const rates = await calls.takeRates(database, given);
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
    addCustomer: (given) =>
      database.transaction((queries) => customers.addCustomer(queries, given)),
    createLink: (given) => links.createLink(database, given),
    findLink: (given) => links.findLink(database, given),
    findLogin: (email) => signIns.findLogin(database, email),
    loginOf: (memberId) => signIns.loginOf(database, memberId),
    startSession: (checked) => signIns.startSession(database, checked),
    setPasswordByLink: (given) => signIns.setPasswordByLink(database, given),
    replacePassword: (change) => signIns.replacePassword(database, change),
    renewHash: (given) => signIns.renewHash(database, given),
    findSession: (given) => signIns.findSession(database, given),
    listSessions: (given) => signIns.listSessions(database, given),
    endNamedSession: (given) => signIns.endNamedSession(database, given),
    seeSession: (given) => signIns.seeSession(database, given),
    endSession: (given) => signIns.endSession(database, given),
    endSessions: (given) => database.transaction((queries) => signIns.endSessions(queries, given)),
  };
}

function createSecondFactors(database: Database): SecondFactorStore {
  return {
    findSecondFactor: (email) => secondFactors.findSecondFactor(database, email),
    enableSecondFactor: (given) => secondFactors.enableSecondFactor(database, given),
    useSecondFactor: (given) => secondFactors.useSecondFactor(database, given),
    renewRecoveryCodes: (given) => secondFactors.renewRecoveryCodes(database, given),
    disableSecondFactor: (given) => secondFactors.disableSecondFactor(database, given),
  };
}

function createOperatorSignIns(database: Database): OperatorSignInStore {
  const within =
    <Given, Result>(change: (database: Database, given: Given) => Promise<Result>) =>
    (given: Given): Promise<Result> =>
      change(database, given);
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
    seeOperatorSession: within(operatorSignIns.seeOperatorSession),
    endOperatorSession: within(operatorSignIns.endOperatorSession),
    listOperatorSessions: within(operatorSignIns.listOperatorSessions),
    endNamedOperatorSession: within(operatorSignIns.endNamedOperatorSession),
    endOperatorSessions: (given) =>
      database.transaction((queries) => operatorSignIns.endOperatorSessions(queries, given)),
  };
}

function createMembers(database: Database): MemberStore {
  return {
    listMembers: (customerId) => members.listMembers(database, customerId),
    inviteMember: (given) => members.inviteMember(database, given),
    renewInvitation: (given) => members.renewInvitation(database, given),
    setMemberRole: (given) => members.setMemberRole(database, given),
    removeMember: (given) => members.removeMember(database, given),
  };
}

function createKeys(database: Database): KeyStore {
  return {
    listOwnKeys: (given) => keys.listOwnKeys(database, given),
    assertRoomForKey: (given) => keys.assertRoomForKey(database, given),
    createOwnKey: (given) => database.transaction((queries) => keys.createOwnKey(queries, given)),
    revokeOwnKey: (given) => keys.revokeOwnKey(database, given),
    setOwnKeyCap: (given) => keys.setOwnKeyCap(database, given),
    setOwnKeyLanes: (given) => keys.setOwnKeyLanes(database, given),
    editOwnKey: (given) => keys.editOwnKey(database, given),
    rotateOwnSecret: (given) => keys.rotateOwnSecret(database, given),
    setLowBalance: (given) =>
      database.transaction((queries) => customers.setLowBalance(queries, given)),
    setCustomerLanes: (given) => customers.setCustomerLanes(database, given),
  };
}

function createReports(database: Database): ReportStore {
  return {
    readOverview: (given) =>
      database.snapshot(async (queries) => ({
        balance: await calls.readBalance(queries, given.customerId),
        keys: await keys.listOwnKeys(queries, given),
        days: await reports.usageByDay(queries, given),
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
    findOwnPayment: (given) => payments.findOwnPayment(database, given),
    findBuyer: (given) => buyers.findBuyer(database, given),
    saveBuyer: (given) => buyers.saveBuyer(database, given),
  };
}

function createNotices(database: Database): NoticeStore {
  return {
    listDueNotices: (given) => notices.listDueNotices(database, given),
    claimNotice: (given) => notices.claimNotice(database, given),
    returnNotice: (given) => notices.returnNotice(database, given),
  };
}

function createClients(database: Database): ClientStore {
  return {
    addCode: (given) => clients.addCode(database, given),
    isKnownCode: (code) => clients.isKnownCode(database, code),
    redeemCode: (given) => clients.redeemCode(database, given),
    keyOfRefreshToken: (token) => clients.keyOfRefreshToken(database, token),
    refreshGrant: (given) => clients.refreshGrant(database, given),
    isTokenOfGrant: async (token) => (await clients.grantIdOf(database, token)) !== undefined,
    revokeToken: (given) => clients.revokeToken(database, given),
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
  const atMost = settings.deadHoldsReleasedMax;
  // A list that was given up may arrive late, after the release of its holds.
  const releaseForgotten = async (): Promise<void> => {
    const forgotten = (await calls.listHoldsOf(database, { nodeId, atMost })).filter(
      (requestId) => !isUnresolved(requestId),
    );
    await Promise.all(forgotten.map(release));
    if (forgotten.length > 0) log.warn('released_late_holds', { holds: forgotten.length });
  };
  const renewAndRelease = async (): Promise<void> => {
    await calls.renewLease(database, nodeId, leaseMs);
    await releaseForgotten();
    const given = { nodeId, leaseMs, now: Date.now(), atMost };
    const released = await calls.releaseDeadHolds(database, given);
    if (released > 0) log.info('released_holds_of_a_crash', { holds: released });
    await deleteOldTries(database, { now: Date.now(), keptMax: settings.sharedTriesMax });
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
    deleteExpiredAnswers: (given) => calls.deleteExpiredAnswers(database, given),
    deleteOldQuestions: (given) => outcomes.deleteOldQuestions(database, given),
    deleteOldMeasures: (given) => calls.deleteOldMeasures(database, given),
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
