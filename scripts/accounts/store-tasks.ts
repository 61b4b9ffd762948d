/** Work on the accounts in a process of its own, as a server does it. */
import type { AccountStore } from '../../src/accounts/ports/account-store.ts';
import type { OperatorAccess } from '../../src/accounts/ports/operator-store.ts';
import { openPostgresAccounts } from '../../src/accounts/postgres/postgres-accounts.ts';
import { commandLine } from '../../src/accounts/sql/operator-trail.ts';
import { openSqliteAccounts } from '../../src/accounts/sqlite/sqlite-accounts.ts';
import { createDamageRegister } from '../../src/database/damage/damage-register.ts';
import { openExistingStore } from '../../src/database/open.ts';
import { createLog } from '../../src/log.ts';
import { readSettings } from '../../src/settings/config.ts';
import { CREDITS, UNLIMITED } from '../measure/accounts.ts';
import { openOptions } from '../measure/databases.ts';
import { task } from '../measure/processes.ts';
import { createRandom, oneOf } from '../measure/random.ts';
import { say } from '../measure/report.ts';
import { sumOf } from '../measure/statistics.ts';

/** Customers that are added at once. */
const BATCH = 50;
const CLOSE_WAIT_MS = 10_000;
const MEASURES = { milliseconds: 12, lanes: [], outcome: 'close' } as const;

export interface AccountKey {
  customerId: number;
  keyId: number;
  secret: string;
}

/** Adds customers with credit and a key each. `place` is a file, or the address of a PostgreSQL database. */
export const addAccounts = task(
  'addAccounts',
  (given: { place: string; name: string; count: number }): Promise<AccountKey[]> =>
    withAccounts(given.place, async ({ asOperator }) => {
      const operator = asOperator(commandLine);
      const now = Date.now();
      const add = async (number: number): Promise<AccountKey> => {
        const email = `${given.name}-${number}@localhost`;
        await operator.addCustomer({ email, credits: CREDITS, linkExpiresAt: now, now });
        const own = { email, name: 'bench', ...UNLIMITED, now };
        const { key, secret } = await operator.createKey(own);
        return { customerId: key.customerId, keyId: key.id, secret };
      };
      const added: AccountKey[] = [];
      for (let first = 0; first < given.count; first += BATCH) {
        const count = Math.min(BATCH, given.count - first);
        const some = Array.from({ length: count }, (_, index) => add(first + index));
        added.push(...(await Promise.all(some)));
      }
      return added;
    }),
);

/** Audits the ledger. Returns what is wrong, given how many calls were charged. */
export const auditAccounts = task(
  'auditAccounts',
  ({ place, charged }: { place: string; charged: number }): Promise<string[]> =>
    withAccounts(place, async ({ asOperator }) => {
      const operator = asOperator(commandLine);
      const { differences, held } = await operator.audit();
      const all = await operator.listCustomers();
      const customers = all.filter(({ email }) => email.endsWith('@localhost'));
      const debited = sumOf(customers.map(({ balance }) => CREDITS - balance));
      const of = `of ${place.split('://')[0]}`;
      return [
        ...differences.map((difference) => `the ledger ${of}: ${difference}`),
        ...(debited === charged ? [] : [`${charged} calls ${of}, and ${debited} debits`]),
        ...(held === 0 ? [] : [`${held} credits ${of} are still held`]),
      ];
    }),
);

interface CallsInput {
  place: string;
  accounts: AccountKey[];
  clients: number;
  seconds: number;
  /** Until then, in milliseconds since 1970, the calls only connect and fill the caches. */
  startAt: number;
  seed: string;
}

export interface Called {
  /** Calls that were settled. */
  calls: number;
  /** Of them, up to the last settlement. */
  perSecond: number;
  /** From the start of each call to its hold. */
  milliseconds: number[];
  failures: string[];
}

/**
 * Paid calls through the account store. A client waits for its admission and its hold, as a search does,
 * and sends the settlement without waiting, as the service does.
 */
export const callAccounts = task('callAccounts', (input: CallsInput): Promise<Called> => {
  const { place, accounts, clients, seconds, startAt, seed } = input;
  return withAccounts(place, async (store) => {
    const random = createRandom(seed);
    const called: Called = { calls: 0, perSecond: 0, milliseconds: [], failures: [] };
    const loop = async (goOn: () => boolean): Promise<void> => {
      const settled: Promise<unknown>[] = [];
      const client = async (): Promise<void> => {
        while (goOn()) await call(store, oneOf(accounts, random), called, settled);
      };
      await Promise.all(Array.from({ length: clients }, client));
      await store.flush();
      await Promise.all(settled);
    };
    await loop(() => Date.now() < startAt);
    const { calls } = called;
    called.milliseconds.length = 0;
    const started = performance.now();
    await loop(() => performance.now() - started < seconds * 1_000);
    called.perSecond = ((called.calls - calls) / (performance.now() - started)) * 1_000;
    return called;
  });
});

async function call(
  store: AccountStore,
  { customerId, keyId, secret }: AccountKey,
  called: Called,
  settled: Promise<unknown>[],
): Promise<void> {
  const requestId = crypto.randomUUID();
  const started = performance.now();
  try {
    const now = Date.now();
    const admission = await store.admit({ secret, acceptsTokens: true, now });
    if (admission?.credit === undefined) throw new Error('a call was refused');
    const balance = await store.hold({ requestId, customerId, keyId, credits: 1, now });
    if (balance === undefined) throw new Error('a hold found no credit');
  } catch (error) {
    called.failures.push(String(error));
    return;
  }
  called.milliseconds.push(performance.now() - started);
  const note = (balance: number | undefined): void => {
    if (balance === undefined) called.failures.push('a settlement found no hold');
    else called.calls++;
  };
  const fail = (error: unknown) => called.failures.push(String(error));
  settled.push(store.settle(requestId, MEASURES).then(note, fail));
}

async function withAccounts<Result>(
  place: string,
  work: (accounts: AccountStore & OperatorAccess) => Promise<Result>,
): Promise<Result> {
  const isShared = place.startsWith('postgres://');
  const settings = readSettings(isShared ? { accountsAddress: place } : { database: place }, {});
  const log = createLog(say);
  const store = openOptions(place);
  const db = isShared ? undefined : openExistingStore(store);
  const damage = createDamageRegister(log);
  const accounts =
    db === undefined
      ? await openPostgresAccounts({ log, settings })
      : openSqliteAccounts({ db, store, log, damage, settings });
  try {
    await accounts.joinAsNode();
    return await work(accounts);
  } finally {
    await accounts.close(CLOSE_WAIT_MS);
    db?.close();
  }
}
