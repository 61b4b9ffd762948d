/**
 * What customers granted to OAuth clients. Codes and tokens are stored as their SHA-256. Strangers may
 * call the readers, so each is one look-up by an index.
 */
import type { ApiKey } from '../sql/api-keys.ts';
import type { Issued, NewCode, RedeemedCode, Refresh } from '../sql/client-grants.ts';

export interface ClientStore {
  /** Creates a one-time code. A repeat gives another code. */
  addCode(input: NewCode): Promise<string>;
  /** Whether a code was handed out and is still stored. */
  isKnownCode(code: string): Promise<boolean>;
  /**
   * Makes a grant and its key of a code. The first attempt ends the code, whatever its outcome; a second
   * one ends the grant, because someone else may have the code. Resolves to undefined if the code is
   * not good for tokens. Rejects with `bad_request` if the customer has too many keys; the code stays
   * valid.
   */
  redeemCode(input: RedeemedCode): Promise<Issued>;
  /** Finds the key of the grant that a refresh token belongs or belonged to; undefined for none. */
  keyOfRefreshToken(token: string): Promise<ApiKey | undefined>;
  /**
   * Replaces a refresh token and adds an access token. Within the grace period a repeat gives more
   * tokens; after it, a repeat ends the grant. Resolves to undefined if the token is not good for any.
   */
  refreshGrant(input: Refresh): Promise<Issued>;
  /** Whether a token of either kind belongs to a grant, also one that was replaced. */
  isTokenOfGrant(token: string): Promise<boolean>;
  /** Ends the grant of a token of either kind. Unknown tokens change nothing. May be repeated. */
  revokeToken(input: { token: string; clientId: string; now: number }): Promise<void>;
}
