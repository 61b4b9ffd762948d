/** One-time links, by which a member chooses a password. */

import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { hashToken, mintToken } from './secret-tokens.ts';

export interface CreatedLink {
  /** Handed out once and never stored. */
  token: string;
  expiresAt: number;
}

/** Creates a link for a member. An earlier link ends. */
export function* createLink({
  memberId,
  expiresAt,
}: {
  memberId: number;
  expiresAt: number;
}): Sql<CreatedLink> {
  const token = mintToken();
  yield* query(
    `INSERT INTO sign_in_links (member_id, token_hash, expires_at) VALUES ($1, $2, $3)
     ON CONFLICT (member_id) DO UPDATE SET
       token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [memberId, hashToken(token), expiresAt],
  );
  return { token, expiresAt };
}

export interface LinkOwner {
  memberId: number;
  customerId: number;
  email: string;
}

/** Finds the owner of a link. Throws `link_over` for an unknown, used or expired link. */
export function* findLink({ token, now }: { token: string; now: number }): Sql<LinkOwner> {
  const owner = yield* queryFirst<LinkOwner>(
    `SELECT members.id AS "memberId", customer_id AS "customerId", members.email
     FROM sign_in_links
     JOIN members ON members.id = member_id JOIN customers ON customers.id = customer_id
     WHERE token_hash = $1 AND expires_at > $2 AND disabled_at IS NULL`,
    [hashToken(token), now],
  );
  if (owner === undefined) throw new VerbatimError('link_over');
  return owner;
}

/** Deletes the link of a member. */
export function* removeLink(memberId: number): Sql<void> {
  yield* query('DELETE FROM sign_in_links WHERE member_id = $1', [memberId]);
}
