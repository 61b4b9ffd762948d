/**
 * Accounts as a server has them, on a store in memory and with a clock that tests set. What the
 * server writes in the ledger's thread is written here at once.
 */

import type { AccountDeps } from '../../src/accounts/account-deps.ts';
import { createAccounts } from '../../src/accounts/create-accounts.ts';
import { applyAccountWrite } from '../../src/accounts/ledger-thread/ledger-worker.ts';
import type {
  LedgerWriter,
  WriteAccounts,
} from '../../src/accounts/ledger-thread/ledger-writer.ts';
import { redeemLink } from '../../src/accounts/links.ts';
import type { Mail } from '../../src/accounts/mail.ts';
import { readSession, signIn } from '../../src/accounts/sign-in.ts';
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { ownerOf } from '../../src/accounts/sql/member-rows.ts';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { createSqliteAccounts } from '../../src/accounts/sqlite/sqlite-accounts.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import type { LogFields } from '../../src/log.ts';
import { readSettings, type Settings } from '../../src/settings/config.ts';
import { NOW, openMemoryStore } from './accounts.ts';
import { CHEAP_HASHES } from './limits.ts';

export const CUSTOMER_EMAIL = 'ada@example.org';
export const ADDRESS = '192.0.2.7';
export const PASSWORD = 'blue kettle upon gravel';
export const OTHER_PASSWORD = 'seven owls in the orchard';

/** Hashes of passwords that are not over before the next one comes. */
export const SLOW_HASHES = { passwordHashDoublings: 12 };

export interface World {
  db: Connection;
  deps: AccountDeps;
  clock: { now: number };
  mails: Mail[];
  logged: { event: string; fields: LogFields }[];
  /** Names of what was written. */
  writes: string[];
}

/** A world without a customer; mails are kept where `withMail` says that there is a server. */
export function createWorld(overrides: Partial<Settings> = {}, withMail = false): World {
  const db = openMemoryStore();
  const clock = { now: NOW };
  const world: Omit<World, 'deps'> = { db, clock, mails: [], logged: [], writes: [] };
  const put = (event: string, fields: LogFields = {}): void => {
    world.logged.push({ event, fields });
  };
  const settings = readSettings({ ...CHEAP_HASHES, ...overrides }, {});
  const write: WriteAccounts = async (name, input) => {
    world.writes.push(name);
    return applyAccountWrite(db, { name, input }) as never;
  };
  // Nothing is held or paid here.
  const store = createSqliteAccounts(db, { write } as LedgerWriter, settings);
  const deps = createAccounts({
    settings,
    store,
    log: { debug: put, info: put, warn: put, error: put },
    now: () => clock.now,
  });
  if (withMail) {
    deps.sendMail = async (mail) => {
      world.mails.push(mail);
    };
  }
  return { ...world, deps };
}

/** Adds a customer with a link; returns both. */
export function addLinkedCustomer({ db, clock }: World, email = CUSTOMER_EMAIL) {
  const customerId = changeOnSqlite(db, addCustomer({ email, now: clock.now })).id;
  const memberId = runOnSqlite(db, ownerOf(customerId));
  const { token } = changeOnSqlite(db, createLink({ memberId, expiresAt: clock.now + 86_400_000 }));
  return { customerId, memberId, token };
}

/** A world with a customer who has chosen a password: their id, and the tokens of their browser. */
export async function createSignedIn(world: World = createWorld()) {
  const { customerId, memberId, token: link } = addLinkedCustomer(world);
  const { session, browser } = await redeemLink(world.deps, { token: link, password: PASSWORD });
  return { world, customerId, memberId, token: session.token, browserToken: browser.token };
}

/** Signs in by password, in an unknown browser where no token of one is given. */
export async function enter(
  { deps }: World,
  password = PASSWORD,
  email = CUSTOMER_EMAIL,
  address = ADDRESS,
  browserToken?: string,
): Promise<{ token: string; browserToken: string }> {
  const signedIn = await signIn(deps, { email, password, address, browserToken });
  if ('pending' in signedIn) throw new Error('this account asks for a code');
  const { session, browser } = signedIn;
  return { token: session.token, browserToken: browser.token };
}

/** Whose session it is. */
export const emailOf = async (
  { deps }: World,
  token: string | undefined,
): Promise<string | undefined> => (await readSession(deps, token))?.member.email;
