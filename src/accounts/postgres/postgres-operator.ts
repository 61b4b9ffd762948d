/** What the operator does with accounts on PostgreSQL, beside the nodes that run and on their pages. */

import { databaseOptions } from '../../database/postgres/database-options.ts';
import { openMigrated } from '../../database/postgres/migrations/migrate-postgres.ts';
import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';
import type { OperatorStore } from '../ports/operator-store.ts';
import { assertEnablable, normalizeEmail } from '../sql/customers.ts';
import type { CustomerName } from '../sql/operator-reads.ts';
import type { OperatorIdentity } from '../sql/operator-trail.ts';
import type { CreatedLink } from '../sql/sign-in-links.ts';
import { type TrailEntry, trailEntries } from '../sql/trail-entries.ts';
import { assertAccountsHere } from './postgres-account-place.ts';
import { readOutcomes } from './postgres-answer-outcomes.ts';
import { auditLedger } from './postgres-audit.ts';
import * as credit from './postgres-credit.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { searchCustomers } from './postgres-customer-search.ts';
import * as customers from './postgres-customers.ts';
import { keepAudit, listKeptAudits } from './postgres-kept-audits.ts';
import * as keys from './postgres-keys.ts';
import * as members from './postgres-members.ts';
import { readMoney } from './postgres-money.ts';
import { changeAsOperator, listActions } from './postgres-operator-trail.ts';
import * as operators from './postgres-operators.ts';
import * as payments from './postgres-payments.ts';
import { listPaymentsToReview } from './postgres-payments-to-review.ts';
import * as secondFactors from './postgres-second-factors.ts';
import * as links from './postgres-sign-in-links.ts';
import * as signIns from './postgres-sign-ins.ts';

/** Any number that nothing else uses. */
const FIRST_CUSTOMER_LOCK = 1_618_033;

/** Connects, makes the tables if they are missing, runs work, and always disconnects. */
export async function withPostgresOperator<Result>(
  settings: Settings,
  by: OperatorIdentity,
  work: (accounts: OperatorStore) => Promise<Result>,
): Promise<Result> {
  const database = await openMigrated(databaseOptions(settings));
  try {
    await assertAccountsHere(database);
    return await work(createPostgresOperator(database, by));
  } finally {
    await database.close();
  }
}

export function createPostgresOperator(database: Database, by: OperatorIdentity): OperatorStore {
  return { ...createReads(database), ...createRecordedChanges(database, by) };
}

type ChangeName = keyof typeof trailEntries;
type Changes = Pick<OperatorStore, ChangeName>;

/** The changes, each made together with its entry in the trail. */
function createRecordedChanges(database: Database, by: OperatorIdentity): Changes {
  const names = Object.keys(trailEntries) as ChangeName[];
  const recorded = names.map((name) => {
    const describe = trailEntries[name] as (
      input: unknown,
      result: unknown,
    ) => TrailEntry | undefined;
    const change = (input: unknown): Promise<unknown> =>
      changeAsOperator(
        database,
        { ...by, at: Date.now() },
        {
          change: async (within): Promise<unknown> => createChanges(within)[name](input as never),
          describe: (result) => describe(input, result),
        },
      );
    return [name, change] as const;
  });
  const { recordReconciled } = createChanges(database);
  const changes = Object.fromEntries(recorded) as unknown as Changes;
  return {
    ...changes,
    // A dry run undoes a transaction of its own.
    recordReconciled: (input) =>
      input.dryRun ? recordReconciled(input) : changes.recordReconciled(input),
  };
}

function createChanges(database: Database): Changes {
  return {
    ...createAdditions(database),
    ...createCustomerChanges(database),
    ...createKeyChanges(database),
    ...createCreditChanges(database),
    ...createOperatorChanges(database),
  };
}

function createOperatorChanges({
  transaction,
}: Database): Pick<Changes, 'addOperator' | 'linkOperator' | 'removeOperator'> {
  return {
    addOperator: (input) => transaction((queries) => operators.addOperator(queries, input)),
    linkOperator: (input) => transaction((queries) => operators.linkOperator(queries, input)),
    removeOperator: (input) => transaction((queries) => operators.removeOperator(queries, input)),
  };
}

type Additions = Pick<OperatorStore, 'addCustomer' | 'addFirstCustomer' | 'createLink'>;

function createAdditions({ transaction }: Database): Additions {
  return {
    addCustomer: ({ email, credits, linkExpiresAt, now }) =>
      transaction(async (queries) => {
        const { id: customerId } = await customers.addCustomer(queries, { email, now });
        const link = await ownerLink(queries, { customerId, expiresAt: linkExpiresAt });
        if (credits !== undefined) await credit.topUp(queries, { customerId, credits, now });
        const customer = await customers.findCustomer(queries, email);
        return { customer, email: customer.email, link };
      }),
    addFirstCustomer: ({ email, credits, linkExpiresAt, now }) =>
      transaction(async (queries) => {
        await queries.query('SELECT pg_advisory_xact_lock($1)', [FIRST_CUSTOMER_LOCK]);
        if ((await customers.listCustomers(queries)).length > 0) return undefined;
        const { id: customerId } = await customers.addCustomer(queries, { email, now });
        await credit.topUp(queries, { customerId, credits, note: 'first run', now });
        const caps = { requestsPerMinute: null, inFlightMax: null };
        const named = { customerId, name: 'first run', ...caps, now };
        const { secret } = await keys.createKey(queries, named);
        const link =
          linkExpiresAt === undefined
            ? undefined
            : await ownerLink(queries, { customerId, expiresAt: linkExpiresAt });
        return { id: customerId, email: normalizeEmail(email), credits, secret, link };
      }),
    createLink: ({ email, expiresAt }) =>
      transaction(async (queries) => {
        const login = await signIns.findLogin(queries, normalizeEmail(email));
        if (login === undefined) {
          throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
        }
        const { customerId, memberId } = login;
        await lockCustomer(queries, customerId);
        const customer = await customers.customerOf(queries, customerId);
        if (customer.disabledAt !== null) {
          throw new VerbatimError('usage', `the customer ${customer.email} is disabled`);
        }
        const link = await links.createLink(queries, { memberId, expiresAt });
        return { customer, email: login.email, link };
      }),
  };
}

type CustomerChanges = Pick<
  OperatorStore,
  'setCustomerLanes' | 'disableCustomer' | 'enableCustomer' | 'removeSecondFactor'
>;

function createCustomerChanges({ transaction }: Database): CustomerChanges {
  return {
    setCustomerLanes: ({ email, lanes }) =>
      transaction(async (queries) => {
        const { id: customerId } = await customers.findCustomer(queries, email);
        await customers.setCustomerLanes(queries, { customerId, lanes });
        return await customers.findCustomer(queries, email);
      }),
    disableCustomer: ({ email, now }) =>
      transaction(async (queries) => {
        const { id: customerId } = await lockNamed(queries, email);
        await customers.disable(queries, { customerId, now });
        for (const { id: memberId } of await members.listMembers(queries, customerId)) {
          await links.removeLink(queries, memberId);
          await signIns.endSessions(queries, { memberId });
        }
        return await customers.findCustomer(queries, email);
      }),
    enableCustomer: ({ email }) =>
      transaction(async (queries) => {
        const customer = await lockNamed(queries, email);
        assertEnablable(customer);
        await customers.enable(queries, customer.id);
        return await customers.findCustomer(queries, email);
      }),
    removeSecondFactor: ({ email }) =>
      transaction((queries) => secondFactors.removeSecondFactor(queries, normalizeEmail(email))),
  };
}

type KeyChanges = Pick<
  OperatorStore,
  'createKey' | 'capKey' | 'setKeyLanes' | 'setKeyRates' | 'revokeKey' | 'rotateKey'
>;

function createKeyChanges(database: Database): KeyChanges {
  const { transaction } = database;
  return {
    createKey: ({ email, ...rest }) =>
      transaction(async (queries) => {
        const { id: customerId } = await customers.findCustomer(queries, email);
        return await keys.createKey(queries, { ...rest, customerId });
      }),
    capKey: (input) => transaction((queries) => keys.capKey(queries, input)),
    setKeyLanes: (input) => transaction((queries) => keys.setKeyLanes(queries, input)),
    setKeyRates: (input) => transaction((queries) => keys.setKeyRates(queries, input)),
    revokeKey: (input) => transaction((queries) => keys.revokeKey(queries, input)),
    rotateKey: (input) => keys.rotateKey(database, input),
  };
}

type CreditChanges = Pick<
  OperatorStore,
  'topUp' | 'refundSearch' | 'recordReconciled' | 'keepAudit' | 'noteIndexChange'
>;

function createCreditChanges(database: Database): CreditChanges {
  return {
    topUp: ({ email, ...rest }) =>
      database.transaction(async (queries) => {
        const { id: customerId } = await customers.findCustomer(queries, email);
        return await credit.topUp(queries, { ...rest, customerId });
      }),
    refundSearch: (input) => credit.refundSearch(database, input),
    recordReconciled: (input) => payments.recordReconciled(database, input),
    keepAudit: (input) => keepAudit(database, input),
    noteIndexChange: async () => {},
  };
}

type Reads = Omit<OperatorStore, ChangeName>;

function createReads(database: Database): Reads {
  const { snapshot } = database;
  return {
    listCustomers: () => customers.listCustomers(database),
    searchCustomers: (input) => snapshot((queries) => searchCustomers(queries, input)),
    showCustomer: ({ limits, now, ...name }) =>
      snapshot(async (queries) => {
        const customer = await findNamed(queries, name);
        const { id: customerId } = customer;
        return {
          ...customer,
          members: await members.listMembers(queries, customerId),
          sessions: await signIns.countSessions(queries, { customerId, limits, now }),
          keys: await keys.listOwnKeys(queries, { customerId, now }),
        };
      }),
    listKeys: ({ email }) =>
      snapshot(async (queries) => {
        if (email === undefined) return await keys.listKeys(queries);
        return await keys.listKeysOf(queries, (await customers.findCustomer(queries, email)).id);
      }),
    findKey: ({ prefix }) => keys.findWholeKey(database, prefix),
    listEntries: ({ email, limit }) =>
      snapshot(async (queries) => {
        const { id: customerId } = await customers.findCustomer(queries, email);
        return await credit.listEntries(queries, { customerId, limit });
      }),
    audit: () => auditLedger(database),
    listKeptAudits: (input) => listKeptAudits(database, input),
    readOutcomes: (input) => snapshot((queries) => readOutcomes(queries, input)),
    readMoney: (input) => snapshot((queries) => readMoney(queries, input)),
    listPaymentsToReview: (input) => snapshot((queries) => listPaymentsToReview(queries, input)),
    listPayments: ({ email, limit }) =>
      snapshot(async (queries) => ({
        payments: await payments.listPayments(queries, {
          customerId: await idOf(queries, email),
          limit,
        }),
        strays: email === undefined ? await payments.listStrayEvents(queries, limit) : [],
      })),
    listActions: ({ email, ...rest }) =>
      snapshot(async (queries) =>
        listActions(queries, { ...rest, customerId: await idOf(queries, email) }),
      ),
    listOperators: (input) => operators.listOperators(database, input),
  };
}

/** The id of a customer; undefined if none is named. */
async function idOf(queries: Queries, email: string | undefined): Promise<number | undefined> {
  return email === undefined ? undefined : (await customers.findCustomer(queries, email)).id;
}

function findNamed(queries: Queries, name: CustomerName) {
  return 'email' in name
    ? customers.findCustomer(queries, name.email)
    : customers.customerOf(queries, name.customerId);
}

/** Creates a link for the first owner of a customer. */
async function ownerLink(
  queries: Queries,
  { customerId, expiresAt }: { customerId: number; expiresAt: number },
): Promise<CreatedLink> {
  const memberId = await members.ownerOf(queries, customerId);
  return await links.createLink(queries, { memberId, expiresAt });
}

/** Finds a customer, and lets their other transactions wait. */
async function lockNamed(queries: Queries, email: string) {
  const { id } = await customers.findCustomer(queries, email);
  await lockCustomer(queries, id);
  return await customers.findCustomer(queries, email);
}
