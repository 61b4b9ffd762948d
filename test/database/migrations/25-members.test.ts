/** Customers who could sign in still can, as the owners of their accounts. */
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { findLogin } from '../../../src/accounts/sql/passwords.ts';
import { hashToken } from '../../../src/accounts/sql/secret-tokens.ts';
import { findSession } from '../../../src/accounts/sql/sessions.ts';
import { findLink } from '../../../src/accounts/sql/sign-in-links.ts';
import { runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { NOW } from '../../support/accounts.ts';
import { openMigrated } from './open-migrated.ts';
import { unpackStored } from './stored-databases.ts';

const limits = { lifetimeMs: 1_000, idleMs: 1_000, perMemberMax: 9 };

it('passwords, known browsers, links, and sessions go to the owner of each customer', async () => {
  const path = await unpackStored(21);
  const before = new Database(path);
  before.exec(`
    UPDATE customers SET password_hash = 'hash of ada', browser_key = x'07' WHERE id = 1;
    UPDATE customers SET disabled_at = 5 WHERE id = 2;`);
  const addLink = before.prepare('REPLACE INTO sign_in_links VALUES (?, ?, ?)');
  const addSession = before.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?)');
  addLink.run(1, hashToken('link'), NOW + 9);
  for (const [customer, token] of [
    [1, 'first'],
    [1, 'second'],
    [2, 'of bob'],
  ] as const) {
    addSession.run(hashToken(token), customer, NOW, NOW + 1);
  }
  before.close();
  const db = await openMigrated(path);
  onTestFinished(() => {
    db.close();
  });
  const login = runOnSqlite(db, findLogin('ada@example.org'));
  expect(login).toMatchObject({ customerId: 1, passwordHash: 'hash of ada', disabledAt: null });
  expect(Buffer.from(login?.browserKey ?? []).toString('hex')).toBe('07');
  expect(runOnSqlite(db, findLogin('bob@example.org'))).toMatchObject({
    passwordHash: null,
    disabledAt: 5,
  });
  const memberId = login?.memberId;
  expect(runOnSqlite(db, findLink({ token: 'link', now: NOW }))).toEqual({
    memberId,
    email: 'ada@example.org',
  });
  for (const token of ['first', 'second']) {
    expect(runOnSqlite(db, findSession({ token, limits, now: NOW + 2 }))).toMatchObject({
      customer: { id: 1, balance: 118 },
      member: { id: memberId, role: 'owner' },
      createdAt: NOW,
      seenAt: NOW + 1,
    });
  }
  expect(runOnSqlite(db, findSession({ token: 'of bob', limits, now: NOW + 2 }))).toBeUndefined();
});
