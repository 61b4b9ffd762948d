/** What an implementation of the accounts must offer to be tested, and people to test it with. */
import { vi } from 'vitest';
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import type { OperatorAccess, OperatorStore } from '../../../src/accounts/ports/operator-store.ts';
import type { ApiKey } from '../../../src/accounts/sql/api-keys.ts';
import type { EventResult, PaymentEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import { NOW } from '../../support/accounts.ts';

/** An implementation with a database of its own, and one node that has joined. */
export interface AccountsUnderTest {
  /** The node. Another one after `restart`. */
  store: AccountStore;
  operator: OperatorStore;
  /** What the node offers operators. */
  asOperator: OperatorAccess['asOperator'];
  /**
   * Ends the node without settling or releasing anything, as a crash would, and lets another one join.
   */
  restart(): Promise<void>;
  /** Ends the node and removes the database. */
  close(): Promise<void>;
}

export type MakeAccounts = () => Promise<AccountsUnderTest>;

/** Fills in the accounts before the first test. */
export type GetAccounts = () => AccountsUnderTest;

/** Requests a minute of keys without a rate of their own. */
export const REQUESTS_PER_MINUTE = 1_000_000;
export const DAY_MS = 86_400_000;

export interface Person {
  customerId: number;
  memberId: number;
  email: string;
  key: ApiKey;
  secret: string;
}

interface PersonOptions {
  credits?: number;
  creditsPerMonthMax?: number | null;
  requestsPerMinute?: number | null;
}

let people = 0;
let requests = 0;

/** Lets the node take an event of Stripe. */
export function takeEvent(
  { store }: Pick<AccountsUnderTest, 'store'>,
  event: PaymentEvent,
): Promise<EventResult> {
  return store.recordPaymentEvent({ event, now: NOW });
}

/** Adds a customer with a key. */
export async function addPerson(
  { operator }: Pick<AccountsUnderTest, 'operator'>,
  { credits, creditsPerMonthMax = null, requestsPerMinute = null }: PersonOptions = {},
): Promise<Person> {
  const email = `person-${++people}@example.org`;
  const linkExpiresAt = NOW + DAY_MS;
  const { customer } = await operator.addCustomer({ email, credits, linkExpiresAt, now: NOW });
  const caps = { requestsPerMinute, inFlightMax: null, creditsPerMonthMax };
  const { key, secret } = await operator.createKey({ email, name: 'agent', ...caps, now: NOW });
  const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 1 };
  const { members } = await operator.showCustomer({ email, limits, now: NOW });
  const memberId = members[0]?.id ?? 0;
  return { customerId: customer.id, memberId, email, key, secret };
}

/** A hold that nothing else has made. */
export function newHold({ customerId, key }: Person, now = Date.now()) {
  return { requestId: `request-${++requests}`, customerId, keyId: key.id, credits: 1, now };
}

/** Holds a credit and returns the id of the request. */
export async function hold({ store }: AccountsUnderTest, person: Person): Promise<string> {
  const request = newHold(person);
  await store.hold(request);
  return request.requestId;
}

/** Holds and settles a credit, and returns the id of the request. */
export async function search(accounts: AccountsUnderTest, person: Person): Promise<string> {
  const requestId = await hold(accounts, person);
  await accounts.store.settle(requestId, { milliseconds: 12, lanes: [] });
  return requestId;
}

/** The code of the error that a promise rejects with; undefined if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return await promise.then(
    () => undefined,
    (error: { code?: string }) => error.code ?? 'unexpected',
  );
}

/** How many of some promises resolve, and the codes of the others, each once. */
export async function outcomesOf(promises: readonly Promise<unknown>[]) {
  const codes = await Promise.all(promises.map(codeOf));
  const failed = codes.filter((code) => code !== undefined);
  return { resolved: codes.length - failed.length, codes: [...new Set(failed)] };
}

/** Works while the clock of the node says another time. */
export async function at<Result>(time: number, work: () => Promise<Result>): Promise<Result> {
  vi.setSystemTime(time);
  try {
    return await work();
  } finally {
    vi.setSystemTime(NOW);
  }
}
