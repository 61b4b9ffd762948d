/** What customers do with their own keys. Another customer's key is never found. */

import { VerbatimError } from '../errors.ts';
import { isUuid } from '../text/uuid.ts';
import type { AccountDeps } from './account-deps.ts';
import { CREDITS_RANGE, isCreditCount } from './amounts/credits.ts';
import { assertLanes } from './lane-choices.ts';
import { keyCreated, notifyOwners } from './security-mails.ts';
import type { ApiKey, CreatedKey } from './sql/api-keys.ts';
import type { KeyEdit, OwnKey, OwnKeyName, RotatedSecret } from './sql/own-keys.ts';

/** The longest name of a key, in characters. */
export const NAME_CHARACTERS_MAX = 100;
/** Characters that could disguise or break a line of the operator's list. */
/** What no name may have. */
export const MISLEADING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

/** Lists the keys of a customer, oldest first, including revoked ones. */
export function listCustomerKeys(
  { store, now }: AccountDeps,
  customerId: number,
): Promise<OwnKey[]> {
  return store.listOwnKeys({ customerId, now: now() });
}

export interface NewKey {
  customerId: number;
  name: string;
  /** null: no cap. */
  creditsPerMonthMax: number | null;
  /** null or absent: never. */
  expiresAt?: number | null;
  /** Of the form that creates it. A UUID. */
  idempotencyKey?: string | null;
}

/**
 * Creates a key. Only the result contains its secret. Throws `bad_request` for an invalid name, cap, or
 * form, and if the customer has reached the limit of keys, and `form_sent` if the form has created one.
 */
export async function createKey(deps: AccountDeps, input: NewKey): Promise<CreatedKey> {
  const name = readName(input.name);
  assertCredits(input.creditsPerMonthMax);
  const { idempotencyKey = null } = input;
  if (idempotencyKey !== null && !isUuid(idempotencyKey)) {
    throw new VerbatimError('bad_request', 'the form has no valid id');
  }
  const { keysPerCustomerMax: keysMax, keysEverPerCustomerMax: keysEverMax } = deps.settings;
  const limits = { keysMax, keysEverMax };
  const created = await deps.store.createOwnKey({ ...input, name, ...limits, now: deps.now() });
  notifyOwners(deps, input.customerId, keyCreated(name));
  return created;
}

/** Returns the name without spaces around it. Throws `bad_request` for an invalid one. */
function readName(input: string): string {
  const name = input.trim();
  if (name !== '' && [...name].length <= NAME_CHARACTERS_MAX && !MISLEADING.test(name)) return name;
  throw new VerbatimError(
    'bad_request',
    `a key's name has 1 to ${NAME_CHARACTERS_MAX} characters, and no control characters`,
  );
}

/** Changes a key. Throws `not_found`, or `bad_request` for an invalid name, cap, or choice of lanes. */
export async function editKey(deps: AccountDeps, input: OwnKeyName & KeyEdit): Promise<void> {
  assertCredits(input.creditsPerMonthMax);
  assertLanes(input.lanes);
  await deps.store.editOwnKey({ ...input, name: readName(input.name) });
}

/**
 * Gives a key a new secret; the old one works until `graceEnds`. Only the result contains the new
 * secret. Throws `not_found` if the customer has no such valid key.
 */
export function rotateSecret(
  deps: AccountDeps,
  input: OwnKeyName & { graceEnds: number },
): Promise<RotatedSecret> {
  return deps.store.rotateOwnSecret({ ...input, now: deps.now() });
}

/** Throws `bad_request` if the customer has reached a limit of keys. */
export function assertRoomForKey(
  { store, settings, now }: AccountDeps,
  customerId: number,
): Promise<void> {
  const { keysPerCustomerMax: keysMax, keysEverPerCustomerMax: keysEverMax } = settings;
  return store.assertRoomForKey({ customerId, keysMax, keysEverMax, now: now() });
}

/** Revokes a key immediately. Throws `not_found` if the customer has no such key. */
export function revokeKey(deps: AccountDeps, key: OwnKeyName): Promise<ApiKey> {
  return deps.store.revokeOwnKey({ ...key, now: deps.now() });
}

/** Throws `bad_request` unless the value is null or a valid number of credits. */
export function assertCredits(credits: number | null): void {
  if (credits === null || isCreditCount(credits)) return;
  throw new VerbatimError('bad_request', `credits: expected ${CREDITS_RANGE}`);
}
