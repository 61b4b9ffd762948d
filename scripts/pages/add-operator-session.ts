/** An operator who is signed in, without anybody having typed anything. */
import { enrollOperator } from '../../src/accounts/sql/operator-sign-in-rows.ts';
import { addOperator } from '../../src/accounts/sql/operators.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { PASSWORD_HASH } from '../../test/support/history.ts';

const DAY_MS = 86_400_000;
const LIMITS = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 20 };

/** Returns the token of the session. */
export function addOperatorSession(db: Connection, email: string): string {
  const now = Date.now();
  const { link } = addOperator(db, { email, linkExpiresAt: now + DAY_MS, now });
  const factor = { secret: Buffer.alloc(20), step: 0, recoveryHashes: [] };
  const given = { token: link.token, passwordHash: PASSWORD_HASH, limits: LIMITS, now };
  const origin = { device: 'Firefox on Linux', address: '192.0.2.7' };
  return enrollOperator(db, { ...given, ...factor, ...origin }).token;
}
