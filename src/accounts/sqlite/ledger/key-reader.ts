/** Finds the keys of secrets on SQLite, for each call. */
import { type KeptOptions, keepUntilChange } from '../../../database/sqlite/change-watch.ts';
import type { Connection } from '../../../database/sqlite/connection.ts';
import {
  type ApiKey,
  hashSecret,
  isRevoked,
  isWellFormed,
  selectKeys,
} from '../../sql/api-keys.ts';

export interface KeyReader {
  /**
   * Returns the valid key with this secret; undefined if it is unknown, revoked, or its customer is
   * disabled.
   */
  authenticate(secret: string, now: number): ApiKey | undefined;
}

/** The key of a secret, and when the secret ends. */
interface KeyOfSecret {
  key: ApiKey;
  endsAt: number;
}

/**
 * Reads keys. Keeps at most `keptMax` until the database changes, whoever changes it, so that a revoked
 * key fails on the very next request.
 */
export function createKeyReader(db: Connection, options: KeptOptions): KeyReader {
  const find = db.prepare(`${selectKeys} WHERE api_keys.hash = ? AND disabled_at IS NULL`);
  const findOld = db.prepare(
    `${selectKeys} WHERE api_keys.id = (SELECT key_id FROM replaced_secrets WHERE hash = ?)
       AND disabled_at IS NULL`,
  );
  const read = keepUntilChange((hash: string): KeyOfSecret | undefined => {
    const stored = Buffer.from(hash, 'hex');
    const key = find.get(stored) as ApiKey | undefined;
    if (key !== undefined) return { key, endsAt: Number.POSITIVE_INFINITY };
    const rotated = findOld.get(stored) as ApiKey | undefined;
    return rotated && { key: rotated, endsAt: rotated.oldSecretEndsAt ?? 0 };
  }, options);
  return {
    authenticate(secret, now) {
      if (!isWellFormed(secret)) return undefined;
      const found = read(hashSecret(secret));
      if (found === undefined || found.endsAt <= now || isRevoked(found.key, now)) return undefined;
      return found.key;
    },
  };
}
