/** Operators, as the command line adds them, and their browsers. */
import { expect } from 'vitest';
import { enrollOperator } from '../../src/accounts/sql/operator-sign-in-rows.ts';
import { addOperator, linkOperator } from '../../src/accounts/sql/operators.ts';
import { codeAt, stepAt } from '../../src/accounts/totp.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { codeOf, secretOf } from './authenticator.ts';
import { inStore, PASSWORD, PASSWORD_HASH } from './history.ts';
import { type Client, createClient } from './pages.ts';

const DAY_MS = 86_400_000;
const LIMITS = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 20 };

export interface EnrolledOperator {
  id: number;
  email: string;
  secret: Buffer;
  /** Of a session that began with the enrollment. */
  token: string;
}

/** An operator who signs in with PASSWORD and the codes of a secret. */
export function addEnrolledOperator(database: string, email: string): EnrolledOperator {
  const now = Date.now();
  const secret = Buffer.alloc(20, email);
  // So that the code of this moment counts.
  const factor = { secret, step: stepAt(now) - 2, recoveryHashes: [] };
  return inStore(database, (db) => {
    const { operator, link } = changeOnSqlite(
      db,
      addOperator({ email, linkExpiresAt: now + DAY_MS, now }),
    );
    const input = { token: link.token, passwordHash: PASSWORD_HASH, limits: LIMITS, now };
    const { token } = changeOnSqlite(db, enrollOperator({ ...input, ...factor }));
    return { ...operator, secret, token };
  });
}

/** An operator with nothing but a link. Returns its path. */
export function addLinkedOperator(database: string, email: string, lifetimeMs = DAY_MS): string {
  const now = Date.now();
  return inStore(database, (db) => {
    const { link } = changeOnSqlite(
      db,
      addOperator({ email, linkExpiresAt: now + lifetimeMs, now }),
    );
    return `/operator/link?token=${link.token}`;
  });
}

/** Another link of an operator. Returns its path. */
export function linkAgain(database: string, email: string): string {
  const expiresAt = Date.now() + DAY_MS;
  const { link } = inStore(database, (db) =>
    changeOnSqlite(db, linkOperator({ email, expiresAt })),
  );
  return `/operator/link?token=${link.token}`;
}

/** The code of an app for a later step, of which each counts once. */
export function operatorCode({ secret }: { secret: Uint8Array }, skew = 0): string {
  return codeAt(secret, stepAt(Date.now()) + skew);
}

/** A client that has the session of an operator. */
export function operatorClient(url: string, { token }: { token: string }): Client {
  return createClient(url, `verbatim-operator-session=${token}`);
}

/** Sets password and app by a link, by forms alone. */
export async function enrollByForm(client: Client, path: string, password = PASSWORD) {
  const { text } = await client.get(path);
  const secret = secretOf(/id="setup-key">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '');
  const [, token = ''] = /token=([\w-]+)/.exec(path) ?? [];
  const passwords = { new_password: password, new_password_again: password };
  const fields = { token, code: codeOf(secret), ...passwords };
  const enrolled = await client.submit('/operator/link', fields, path);
  expect(enrolled.status, enrolled.text).toBe(303);
  return { secret, shownAt: String(enrolled.headers.location) };
}
