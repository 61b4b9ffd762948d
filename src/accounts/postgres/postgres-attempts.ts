/** Counts of attempts on PostgreSQL, which all nodes share. */
import { createHash } from 'node:crypto';
import type { Queries } from '../../database/postgres/postgres-database.ts';

/** Whose attempts are counted, and how many are allowed. */
interface Attempts {
  count: string;
  name: string;
  attemptsMax: number;
  windowMs: number;
  now: number;
}

/** A table that anybody may fill has no readable addresses, and names of one length. */
function hashOf({ count, name }: Attempts): Buffer {
  return createHash('sha256').update(`${count}\n${name}`).digest();
}

export function createAttempts({ query }: Queries) {
  const take = async (attempts: Attempts, taken: number) => {
    const { attemptsMax, windowMs, now } = attempts;
    const [row] = await query<{ isAllowed: boolean; left: number }>(
      'SELECT allowed AS "isAllowed", tries_left AS left FROM take_tries($1, $2, $3, $4, $5)',
      [hashOf(attempts), taken, attemptsMax, windowMs, now],
    );
    return row as { isAllowed: boolean; left: number };
  };
  return {
    takeAttempt: (attempts: Attempts) => take(attempts, 1),
    // Whoever has one left has not lost it by this.
    hasAttempt: async (attempts: Attempts) => (await take(attempts, 0)).left >= 1,
    async releaseAttempt(attempts: Attempts) {
      await take(attempts, -1);
    },
  };
}

/** Deletes counts whose attempts have all returned, and beyond `keptMax` those that return next. */
export async function deleteOldAttempts(
  { query }: Queries,
  { now, keptMax }: { now: number; keptMax: number },
): Promise<void> {
  await query(
    `DELETE FROM tries WHERE full_at <= $1
       OR name_hash IN (SELECT name_hash FROM tries ORDER BY full_at DESC OFFSET $2)`,
    [now, keptMax],
  );
}
