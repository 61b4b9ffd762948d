/** One-time links, by which a member chooses a password. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { hashToken, mintToken } from './secret-tokens.ts';

export interface CreatedLink {
  /** Handed out once and never stored. */
  token: string;
  expiresAt: number;
}

/** Creates a link for a member. An earlier link ends. */
export function createLink(
  db: Connection,
  { memberId, expiresAt }: { memberId: number; expiresAt: number },
): CreatedLink {
  const token = mintToken();
  db.prepare(
    `INSERT INTO sign_in_links (member_id, token_hash, expires_at) VALUES (?, ?, ?)
     ON CONFLICT (member_id) DO UPDATE SET
       token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
  ).run(memberId, hashToken(token), expiresAt);
  return { token, expiresAt };
}

export interface LinkOwner {
  memberId: number;
  email: string;
}

/** Finds the owner of a link. Throws `link_over` for an unknown, used or expired link. */
export function findLink(
  db: Connection,
  { token, now }: { token: string; now: number },
): LinkOwner {
  const owner = db
    .prepare(
      `SELECT members.id AS memberId, members.email FROM sign_in_links
       JOIN members ON members.id = member_id JOIN customers ON customers.id = customer_id
       WHERE token_hash = ? AND expires_at > ? AND disabled_at IS NULL`,
    )
    .get(hashToken(token), now) as LinkOwner | undefined;
  if (owner === undefined) throw new VerbatimError('link_over');
  return owner;
}

/** Deletes the link of a member. */
export function removeLink(db: Connection, memberId: number): void {
  db.prepare('DELETE FROM sign_in_links WHERE member_id = ?').run(memberId);
}
