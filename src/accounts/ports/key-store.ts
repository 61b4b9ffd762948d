/** What customers change: their keys, their lanes, and when they are warned. */
import type { LaneChoice } from '../../settings/lane-choice.ts';
import type { ApiKey, CreatedKey } from '../sql/api-keys.ts';
import type { NewOwnKey, OwnKey, OwnKeyName, RotatedSecret } from '../sql/own-keys.ts';

/**
 * A key is named by its customer and its prefix, so nobody finds what belongs to another customer. A
 * method that names one rejects with `not_found` if the customer has no such key.
 */
export interface KeyStore {
  /** Lists the keys of a customer with their usage, oldest first, including revoked ones. */
  listOwnKeys(input: { customerId: number; now: number }): Promise<OwnKey[]>;
  /** Rejects with `bad_request` if the customer has reached a maximum of keys. */
  assertRoomForKey(
    input: Pick<NewOwnKey, 'customerId' | 'keysMax' | 'keysEverMax' | 'now'>,
  ): Promise<void>;
  /**
   * Creates a key, whose secret is in the result and nowhere else: a repeat makes another key, or rejects
   * with `form_sent` if it names a form. Rejects like `assertRoomForKey`; of several at once, no more
   * succeed than there is room for.
   */
  createOwnKey(input: NewOwnKey): Promise<CreatedKey>;
  /** Revokes a key at once. May be repeated. */
  revokeOwnKey(input: OwnKeyName & { now: number }): Promise<ApiKey>;
  /** Sets or clears (null) the monthly cap of a key. May be repeated. */
  setOwnKeyCap(input: OwnKeyName & { creditsPerMonthMax: number | null }): Promise<void>;
  /** Sets or clears (null) the lanes of a key. May be repeated. */
  setOwnKeyLanes(input: OwnKeyName & { lanes: LaneChoice }): Promise<void>;
  /** Changes the name and the end of a key. May be repeated. */
  editOwnKey(input: OwnKeyName & { name: string; expiresAt: number | null }): Promise<void>;
  /**
   * Gives a key a new secret. The old one works until `graceEnds`, for the same key. A secret that was
   * replaced before ends at once. Not repeatable: the prefix changes with the secret. Rejects with
   * `not_found` also for a revoked key and for one without a secret, and with `form_sent` for the prefix
   * before the last rotation.
   */
  rotateOwnSecret(input: OwnKeyName & { graceEnds: number; now: number }): Promise<RotatedSecret>;
  /** Sets or clears (null) the balance below which the dashboard warns. May be repeated. */
  setLowBalance(input: { customerId: number; credits: number | null }): Promise<void>;
  /** Sets or clears (null) the lanes of a customer. May be repeated. */
  setCustomerLanes(input: { customerId: number; lanes: LaneChoice }): Promise<void>;
}
