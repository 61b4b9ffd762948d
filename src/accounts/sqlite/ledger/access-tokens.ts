/** Access tokens of OAuth clients: who calls with one. */
import { type KeptOptions, keepUntilChange } from '../../../database/sqlite/change-watch.ts';
import type { Connection } from '../../../database/sqlite/connection.ts';
import { type ApiKey, isRevoked, selectKeys } from '../../sql/api-keys.ts';
import { hashToken } from '../../sql/secret-tokens.ts';
import type { KeyReader } from './key-reader.ts';

const ACCESS_FORM = /^vat_[\w-]{43}$/;

/**
 * Finds the key of the grant that has an access token, if the token has not expired, the key is
 * valid, and its customer is not disabled. Keeps at most `keptMax` until the database changes, like
 * the reader of keys.
 */
export function createAccessTokenReader(db: Connection, options: KeptOptions): KeyReader {
  const findToken = db.prepare(
    `SELECT key_id AS keyId, client_tokens.expires_at AS expiresAt
     FROM client_tokens JOIN client_grants ON client_grants.id = grant_id
     WHERE token_hash = ? AND kind = 'access'`,
  );
  const findKey = db.prepare(`${selectKeys} WHERE api_keys.id = ? AND disabled_at IS NULL`);
  const read = keepUntilChange((hash: string) => {
    const found = findToken.get(Buffer.from(hash, 'hex')) as
      | { keyId: number; expiresAt: number }
      | undefined;
    if (found === undefined) return undefined;
    const key = findKey.get(found.keyId) as ApiKey | undefined;
    return key && { key, expiresAt: found.expiresAt };
  }, options);
  return {
    authenticate(token, now) {
      if (!ACCESS_FORM.test(token)) return undefined;
      const found = read(hashToken(token).toString('hex'));
      if (found === undefined || found.expiresAt <= now) return undefined;
      return isRevoked(found.key, now) ? undefined : found.key;
    },
  };
}
