/** What the operator does with accounts on PostgreSQL, beside the nodes that run. */
import type { Settings } from '../../config.ts';
import { VerbatimError } from '../../errors.ts';
import { normalizeEmail } from '../../store/accounts/customers.ts';
import type { CreatedLink } from '../../store/accounts/sign-in-links.ts';
import { auditLedger } from '../../store/postgres/audit.ts';
import * as credit from '../../store/postgres/credit.ts';
import { lockCustomer } from '../../store/postgres/customer-lock.ts';
import * as customers from '../../store/postgres/customers.ts';
import type { Database, Queries } from '../../store/postgres/database.ts';
import * as keys from '../../store/postgres/keys.ts';
import * as members from '../../store/postgres/members.ts';
import { openMigrated } from '../../store/postgres/migrations/migrate.ts';
import * as payments from '../../store/postgres/payments.ts';
import * as secondFactors from '../../store/postgres/second-factors.ts';
import * as links from '../../store/postgres/sign-in-links.ts';
import * as signIns from '../../store/postgres/sign-ins.ts';
import type { OperatorStore } from '../operator-store.ts';
import { databaseOptions } from './database-options.ts';

/** Any number that nothing else uses. */
const FIRST_CUSTOMER_LOCK = 1_618_033;

/** Connects, makes the tables if they are missing, runs work, and always disconnects. */
export async function withPostgresOperator<Result>(
  settings: Settings,
  work: (accounts: OperatorStore) => Promise<Result>,
): Promise<Result> {
  const database = await openMigrated(databaseOptions(settings));
  try {
    return await work(createPostgresOperator(database));
  } finally {
    await database.close();
  }
}

export function createPostgresOperator(database: Database): OperatorStore {
  return {
    ...createAdditions(database),
    ...createCustomers(database),
    ...createKeys(database),
    ...createCredit(database),
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

type Customers = Pick<
  OperatorStore,
  | 'listCustomers'
  | 'showCustomer'
  | 'setCustomerLanes'
  | 'disableCustomer'
  | 'enableCustomer'
  | 'removeSecondFactor'
>;

function createCustomers(database: Database): Customers {
  const { transaction, snapshot } = database;
  return {
    listCustomers: () => customers.listCustomers(database),
    showCustomer: ({ email, limits, now }) =>
      snapshot(async (queries) => {
        const customer = await customers.findCustomer(queries, email);
        const { id: customerId } = customer;
        return {
          ...customer,
          members: await members.listMembers(queries, customerId),
          sessions: await signIns.countSessions(queries, { customerId, limits, now }),
          keys: await keys.listOwnKeys(queries, { customerId, now }),
        };
      }),
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
        const { id: customerId } = await lockNamed(queries, email);
        await customers.enable(queries, customerId);
        return await customers.findCustomer(queries, email);
      }),
    removeSecondFactor: ({ email }) =>
      transaction((queries) => secondFactors.removeSecondFactor(queries, normalizeEmail(email))),
  };
}

type Keys = Pick<
  OperatorStore,
  'createKey' | 'listKeys' | 'capKey' | 'setKeyLanes' | 'revokeKey' | 'rotateKey'
>;

function createKeys(database: Database): Keys {
  const { transaction, snapshot } = database;
  return {
    createKey: ({ email, ...given }) =>
      transaction(async (queries) => {
        const { id: customerId } = await customers.findCustomer(queries, email);
        return await keys.createKey(queries, { ...given, customerId });
      }),
    listKeys: ({ email }) =>
      snapshot(async (queries) => {
        if (email === undefined) return await keys.listKeys(queries);
        const { id } = await customers.findCustomer(queries, email);
        return await keys.listKeysOf(queries, id);
      }),
    capKey: (given) => transaction((queries) => keys.capKey(queries, given)),
    setKeyLanes: (given) => transaction((queries) => keys.setKeyLanes(queries, given)),
    revokeKey: (given) => transaction((queries) => keys.revokeKey(queries, given)),
    rotateKey: (given) => keys.rotateKey(database, given),
  };
}

type Credit = Omit<OperatorStore, keyof (Additions & Customers & Keys)>;

function createCredit(database: Database): Credit {
  const { transaction, snapshot } = database;
  return {
    topUp: ({ email, ...given }) =>
      transaction(async (queries) => {
        const { id: customerId } = await customers.findCustomer(queries, email);
        return await credit.topUp(queries, { ...given, customerId });
      }),
    refundSearch: (given) => credit.refundSearch(database, given),
    listEntries: ({ email, limit }) =>
      snapshot(async (queries) => {
        const { id: customerId } = await customers.findCustomer(queries, email);
        return await credit.listEntries(queries, { customerId, limit });
      }),
    audit: () => auditLedger(database),
    listPayments: ({ email, limit }) =>
      snapshot(async (queries) => {
        const customer =
          email === undefined ? undefined : await customers.findCustomer(queries, email);
        return {
          payments: await payments.listPayments(queries, { customerId: customer?.id, limit }),
          strays: email === undefined ? await payments.listStrayEvents(queries, limit) : [],
        };
      }),
    recordReconciled: (given) => payments.recordReconciled(database, given),
  };
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
