/** One-time links on PostgreSQL. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import { hashToken, mintToken } from '../sql/secret-tokens.ts';
import type { CreatedLink, LinkOwner } from '../sql/sign-in-links.ts';

/** Creates a link for a member. An earlier link ends. */
export async function createLink(
  { query }: Queries,
  { memberId, expiresAt }: { memberId: number; expiresAt: number },
): Promise<CreatedLink> {
  const token = mintToken();
  await query(
    `INSERT INTO sign_in_links VALUES ($1, $2, $3) ON CONFLICT (member_id) DO UPDATE
       SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [memberId, hashToken(token), expiresAt],
  );
  return { token, expiresAt };
}

/** Finds the owner of a link. Throws `link_over`. */
export async function findLink(
  { query }: Queries,
  { token, now }: { token: string; now: number },
): Promise<LinkOwner> {
  const [owner] = await query<LinkOwner>(
    `SELECT members.id AS "memberId", members.email FROM sign_in_links
     JOIN members ON members.id = member_id JOIN customers ON customers.id = customer_id
     WHERE token_hash = $1 AND expires_at > $2 AND disabled_at IS NULL`,
    [hashToken(token), now],
  );
  if (owner === undefined) throw new VerbatimError('link_over');
  return owner;
}

export async function removeLink({ query }: Queries, memberId: number): Promise<void> {
  await query('DELETE FROM sign_in_links WHERE member_id = $1', [memberId]);
}
