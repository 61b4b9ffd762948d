/**
 * The secret of a customer that signs the cookies of the browsers they have signed in with. Each
 * customer has one of their own, so that a cookie is good for one account, and a new secret makes
 * all earlier cookies void.
 */
import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/connection.ts';

const KEY_BYTES = 32;

/** The customer's secret, made where there is none yet. */
export function browserKeyOf(db: Connection, customerId: number): Uint8Array {
  return db
    .prepare(
      'UPDATE customers SET browser_key = coalesce(browser_key, ?) WHERE id = ? RETURNING browser_key',
    )
    .pluck()
    .get(randomBytes(KEY_BYTES), customerId) as Uint8Array;
}

/** Forgets all browsers of a customer. */
export function forgetBrowsers(db: Connection, customerId: number): void {
  db.prepare('UPDATE customers SET browser_key = NULL WHERE id = ?').run(customerId);
}
