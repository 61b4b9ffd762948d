/** What customers do with their keys. Nobody else's key is ever found. */
import { CREDITS_RANGE, isCreditCount } from '../credits.ts';
import { VerbatimError } from '../errors.ts';
import {
  type ApiKey,
  type CreatedKey,
  listOwnKeys,
  type OwnKey,
  type OwnKeyName,
} from '../store/accounts/api-keys.ts';
import type { AccountDeps } from './account-deps.ts';

/** Of a key's name. */
export const NAME_CHARACTERS_MAX = 100;
/** What makes a line of the operator's list look like another, or like two. */
const MISLEADING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

/** All keys of a customer, oldest first, those that ended too. */
export function listCustomerKeys({ db, now }: AccountDeps, customerId: number): OwnKey[] {
  return listOwnKeys(db, { customerId, now: now() });
}

export interface NewKey {
  customerId: number;
  name: string;
  /** null: no cap. */
  creditsPerMonthMax: number | null;
}

/**
 * Makes a key; its secret is in the result and nowhere else. Throws `bad_request` for a name or a
 * cap that can't be, and where the customer has as many keys as may be.
 */
export async function createKey(deps: AccountDeps, given: NewKey): Promise<CreatedKey> {
  const name = given.name.trim();
  if (name === '' || [...name].length > NAME_CHARACTERS_MAX || MISLEADING.test(name)) {
    throw new VerbatimError(
      'bad_request',
      `a key's name has 1 to ${NAME_CHARACTERS_MAX} characters, and no control characters`,
    );
  }
  assertCredits(given.creditsPerMonthMax);
  const { keysPerCustomerMax: keysMax, keysEverPerCustomerMax: keysEverMax } = deps.settings;
  return deps.write('createOwnKey', { ...given, name, keysMax, keysEverMax, now: deps.now() });
}

/** Ends a key at once. Throws `not_found` where the customer has no such key. */
export function revokeKey(deps: AccountDeps, key: OwnKeyName): Promise<ApiKey> {
  return deps.write('revokeOwnKey', { ...key, now: deps.now() });
}

/** Sets or clears (null) a key's monthly cap. Throws `not_found`, `bad_request`. */
export async function setKeyCap(
  deps: AccountDeps,
  given: OwnKeyName & { creditsPerMonthMax: number | null },
): Promise<void> {
  assertCredits(given.creditsPerMonthMax);
  await deps.write('setOwnKeyCap', given);
}

/** Throws `bad_request` for what is no number of credits; null is none. */
export function assertCredits(credits: number | null): void {
  if (credits === null || isCreditCount(credits)) return;
  throw new VerbatimError('bad_request', `credits: expected ${CREDITS_RANGE}`);
}
