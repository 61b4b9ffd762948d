/** What a paid call needs of the accounts: who calls, what is left, and the steps of its credit. */

import type { ApiKey } from '../sql/api-keys.ts';
import type { OwnKeyName } from '../sql/own-keys.ts';
import type { AnswerMeasures } from '../sqlite/ledger/answer-measures.ts';
import type { HoldRequest } from '../sqlite/ledger/ledger.ts';
import type {
  AnswerToStore,
  RepeatableRequest,
  StoredAnswer,
  StoredTotals,
} from '../sqlite/ledger/stored-answers.ts';
import type { RateState } from './key-rate-limiter.ts';

export interface AdmissionRequest {
  /** The secret of a key, or an access token. */
  secret: string;
  /** Whether access tokens of clients count, too. */
  acceptsTokens: boolean;
  now: number;
}

/** What a key may spend, as far as that is known before the hold. */
export interface KeyCredit {
  /** The balance of its customer. */
  balance: number;
  /** What its cap leaves of this month, without the holds that are open; null: no cap. */
  monthLeft: number | null;
}

/** A valid key, and what one more request with it found. */
export interface Admission {
  key: ApiKey;
  /** After this request was counted. */
  rate: RateState;
  /** Undefined if the request exceeds the rate: such a request reads nothing more. */
  credit: KeyCredit | undefined;
}

/** An answer to a repeated request, and the room for one more. All of one moment. */
export interface AnswerLookUp {
  /** Undefined if the request has none, or it has expired. */
  stored: StoredAnswer | undefined;
  /** The answers of the customer, those that have expired but are not deleted yet included. */
  own: StoredTotals;
  /** The answers of all customers. */
  all: StoredTotals;
}

export interface PaidCallStore {
  /**
   * Finds the valid key of a secret, counts one request against its rate, and reads what it may spend,
   * in one round trip. Resolves to undefined for a secret that is unknown, expired, or revoked, and for
   * a disabled customer. A revoked key fails on the next request that is sent. Not repeatable: each call
   * counts.
   */
  admit(request: AdmissionRequest): Promise<Admission | undefined>;
  /**
   * Does the same for a customer's own key, which is named by its prefix. Resolves to undefined if the
   * customer has no such valid key.
   */
  admitOwnKey(request: OwnKeyName & { now: number }): Promise<Admission | undefined>;
  /**
   * Counts `count` more requests against a key's rate, one after the other. Resolves to the state after
   * each. Not repeatable.
   */
  takeRates(
    key: Pick<ApiKey, 'id' | 'requestsPerMinute'>,
    request: { count: number; now: number },
  ): Promise<RateState[]>;
  /**
   * Holds credit. Resolves, once durable, to the balance left, or to undefined if the balance is too
   * small. Rejects with `key_cap_reached` if the key's month, including its open holds, would exceed
   * its cap; with `at_capacity` if too many calls are unresolved; and with `degraded` if it could not
   * be written. A failed hold that may have been written is released by the store.
   *
   * Of any number of holds at once, no more succeed than balance and cap allow. A request id is used
   * for one hold only.
   */
  hold(request: HoldRequest): Promise<number | undefined>;
  /**
   * Charges a held credit, and counts what is known of the answer. It may wait to share a transaction,
   * since no client awaits it. Resolves to the balance, or to undefined if the hold is not open: so it
   * may be repeated, and whichever of `settle` and `release` comes first decides. Rejects with
   * `degraded` if it could not be written; the store then keeps it and writes it later.
   */
  settle(requestId: string, measures?: AnswerMeasures): Promise<number | undefined>;
  /** Returns a held credit. Resolves, may be repeated, and rejects like `settle`. */
  release(requestId: string): Promise<number | undefined>;
  /**
   * Charges and releases holds, and stores the answer to them, all or nothing. Resolves, once durable,
   * to the balance. If it rejects, the caller must release the holds: that changes nothing if they were
   * charged after all. Rejects if a hold to be charged is not open (`degraded` where another node may
   * have released it), or if the request has an answer: another node may have been faster.
   */
  storeAnswer(answer: AnswerToStore): Promise<number>;
  /** Finds the answer of a request with an `Idempotency-Key`, and the totals that limit one more. */
  findAnswer(
    request: Omit<RepeatableRequest, 'fingerprint'> & { now: number },
  ): Promise<AnswerLookUp>;
}
