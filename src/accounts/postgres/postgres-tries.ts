/** Counts of tries on PostgreSQL, which all nodes share. */
import { createHash } from 'node:crypto';
import type { Queries } from '../../database/postgres/postgres-database.ts';

/** Whose tries are counted, and how many are allowed. */
interface Tries {
  count: string;
  name: string;
  triesMax: number;
  windowMs: number;
  now: number;
}

/** A table that anybody may fill has no readable addresses, and names of one length. */
function hashOf({ count, name }: Tries): Buffer {
  return createHash('sha256').update(`${count}\n${name}`).digest();
}

export function createTries({ query }: Queries) {
  const take = async (tries: Tries, taken: number) => {
    const { triesMax, windowMs, now } = tries;
    const [row] = await query<{ isAllowed: boolean; left: number }>(
      'SELECT allowed AS "isAllowed", tries_left AS left FROM take_tries($1, $2, $3, $4, $5)',
      [hashOf(tries), taken, triesMax, windowMs, now],
    );
    return row as { isAllowed: boolean; left: number };
  };
  return {
    takeTry: (tries: Tries) => take(tries, 1),
    // Whoever has one left has not lost it by this.
    hasTry: async (tries: Tries) => (await take(tries, 0)).left >= 1,
    async giveBackTry(tries: Tries) {
      await take(tries, -1);
    },
  };
}

/** Deletes counts whose tries have all returned, and beyond `keptMax` those that return next. */
export async function deleteOldTries(
  { query }: Queries,
  { now, keptMax }: { now: number; keptMax: number },
): Promise<void> {
  await query(
    `DELETE FROM tries WHERE full_at <= $1
       OR name_hash IN (SELECT name_hash FROM tries ORDER BY full_at DESC OFFSET $2)`,
    [now, keptMax],
  );
}
