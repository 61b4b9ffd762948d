/** What a key has used in a month (specification 2.4). */
import type { Store } from './open.ts';

export interface KeyUsage {
  /** Searches served. */
  requests: number;
  /** What they cost, net of refunds. */
  credits: number;
}

export function readUsage(db: Store, keyId: number, period: string): KeyUsage {
  const row = db
    .prepare('SELECT requests, credits FROM usage WHERE key_id = ? AND period = ?')
    .get(keyId, period) as KeyUsage | undefined;
  return row ?? { requests: 0, credits: 0 };
}
