/**
 * What customers do with their own keys. A key is named by its whole prefix and found only among
 * those of the customer who asks: of anybody else's it is told that there is none.
 */
import { VerbatimError } from '../../errors.ts';
import type { Connection } from '../database/connection.ts';
import {
  type ApiKey,
  type CreatedKey,
  createKey,
  isRevoked,
  listKeysOf,
  revokeKey,
} from './keys.ts';
import { periodOf } from './ledger.ts';
import type { KeyUsage } from './usage.ts';

export interface OwnKey extends ApiKey {
  /** When its last search began; null: never used. */
  lastUsedAt: number | null;
  thisMonth: KeyUsage;
  toDate: KeyUsage;
}

/** The keys of a customer with what they have used, oldest first, those that ended too. */
export function listOwnKeys(
  db: Connection,
  { customerId, now }: { customerId: number; now: number },
): OwnKey[] {
  const readLastUse = db
    .prepare(
      `SELECT created_at FROM ledger_entries
       WHERE key_id = ? AND kind = 'hold' ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  // A row a month that the key was used in.
  const readUsage = db.prepare(
    `SELECT coalesce(sum(requests), 0) AS requests, coalesce(sum(credits), 0) AS credits
     FROM usage WHERE key_id = ? AND period >= ?`,
  );
  const usageSince = (keyId: number, period: string): KeyUsage =>
    readUsage.get(keyId, period) as KeyUsage;
  return listKeysOf(db, customerId).map((key) => ({
    ...key,
    lastUsedAt: (readLastUse.get(key.id) as number | undefined) ?? null,
    thisMonth: usageSince(key.id, periodOf(now)),
    toDate: usageSince(key.id, ''),
  }));
}

export interface NewOwnKey {
  customerId: number;
  name: string;
  creditsPerMonthMax: number | null;
  /** Valid keys that the customer may have. */
  keysMax: number;
  /** The same with those that ended: pages show them all. */
  keysEverMax: number;
  now: number;
}

/** Mints a key. Throws `bad_request` where the customer has as many as may be. */
export function createOwnKey(
  db: Connection,
  { keysMax, keysEverMax, ...given }: NewOwnKey,
): CreatedKey {
  return db
    .transaction(() => {
      const keys = listKeysOf(db, given.customerId);
      const valid = keys.filter((key) => !isRevoked(key, given.now));
      if (valid.length >= keysMax) {
        throw new VerbatimError(
          'bad_request',
          `you have ${valid.length} valid keys, as many as may be; revoke one first`,
        );
      }
      if (keys.length >= keysEverMax) {
        throw new VerbatimError(
          'bad_request',
          `you have made ${keys.length} keys, as many as may be; ask the operator`,
        );
      }
      return createKey(db, { ...given, requestsPerMinute: null, inFlightMax: null });
    })
    .immediate();
}

export interface OwnKeyName {
  customerId: number;
  prefix: string;
}

/** Ends a key of the customer's, at once. Throws `not_found` where it is none of theirs. */
export function revokeOwnKey(
  db: Connection,
  { customerId, prefix, now }: OwnKeyName & { now: number },
): ApiKey {
  return db
    .transaction(() => {
      assertOwn(db, { customerId, prefix });
      return revokeKey(db, { prefix, at: now });
    })
    .immediate();
}

/** Sets or clears (null) the monthly cap of a key. Throws `not_found` for none of theirs. */
export function setOwnKeyCap(
  db: Connection,
  given: OwnKeyName & { creditsPerMonthMax: number | null },
): void {
  const { customerId, prefix, creditsPerMonthMax } = given;
  const { changes } = db
    .prepare('UPDATE api_keys SET credits_per_month_max = ? WHERE customer_id = ? AND prefix = ?')
    .run(creditsPerMonthMax, customerId, prefix);
  if (changes === 0) throw new VerbatimError('not_found');
}

function assertOwn(db: Connection, { customerId, prefix }: OwnKeyName): void {
  const found = db
    .prepare('SELECT 1 FROM api_keys WHERE customer_id = ? AND prefix = ?')
    .get(customerId, prefix);
  if (found === undefined) throw new VerbatimError('not_found');
}
