/** Changes of operators, for the ledger's thread. */
import { expect } from 'vitest';
import type {
  operatorChanges as changes,
  OperatorChange,
} from '../../../src/accounts/sql/operator-changes.ts';
import { enrollOperator } from '../../../src/accounts/sql/operator-sign-in-rows.ts';
import { addOperator } from '../../../src/accounts/sql/operators.ts';
import { hashToken } from '../../../src/accounts/sql/secret-tokens.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { PASSWORD_HASH } from '../../support/history.ts';
import { createClient } from '../../support/pages.ts';

const OPERATOR = 'operator@example.org';
const limits = { lifetimeMs: 60_000, idleMs: 60_000, perMemberMax: 5 };
const [hash, secret] = [Buffer.alloc(32), Buffer.alloc(20)];

/** Signs in as an operator would, and changes something. */
export async function visitAsOperator(url: string, db: Connection): Promise<void> {
  const { token } = addSignedIn(db, 'visitor@example.org');
  const visitor = createClient(url);
  const wrong = { email: 'visitor@example.org', password: 'x', code: '', next: '' };
  expect((await visitor.submit('/operator/sign-in', wrong)).status).toBe(401);
  const client = createClient(url, `verbatim-operator-session=${token}`);
  const path = '/operator/customers';
  const { text } = await client.get(path);
  const [, copy = ''] = /name="form_copy" value="([\w-]+)"/.exec(text) ?? [];
  const added = await client.submit(path, { form_copy: copy, email: 'by-operator@example.org' });
  expect(added.status).toBe(303);
  const refunds = ['', '?status=200&path=/mcp', '?status=failed'].map(
    (query) => `/1/refunds${query}`,
  );
  for (const page of ['', '/alerts', '/account', ...refunds.map((one) => `/customers${one}`)]) {
    expect((await client.get(`/operator${page}`)).status).toBe(200);
  }
}

/** Adds an operator with a session. */
export function addSignedIn(
  db: Connection,
  email = 'root@example.org',
): { operatorId: number; token: string } {
  const now = Date.now();
  const linkExpiresAt = now + 60_000;
  const { link, operator } = changeOnSqlite(db, addOperator({ email, linkExpiresAt, now }));
  const factor = { secret, step: 1, recoveryHashes: [hash] };
  const input = { token: link.token, passwordHash: PASSWORD_HASH, ...factor, limits, now };
  return { operatorId: operator.id, token: changeOnSqlite(db, enrollOperator(input)).token };
}

/** What operators change of their own accounts. */
export function ownChanges({ operatorId, token }: { operatorId: number; token: string }) {
  const now = Date.now();
  const passwordHash = PASSWORD_HASH;
  const session = { operatorId, limits, now };
  const factor = { secret, step: 1, recoveryHashes: [hash] };
  const proved = { operatorId, now, proof: { recoveryHash: hash } };
  return {
    enrollOperator: { token, passwordHash, ...factor, limits, now },
    startOperatorSession: { ...session, passwordHash, proof: { step: 2 }, replaces: token },
    replaceOperatorPassword: { ...session, passwordHash, newHash: passwordHash },
    replaceOperatorFactor: { ...proved, ...factor, keep: token },
    renewOperatorCodes: { ...proved, recoveryHashes: [hash] },
    touchOperatorSession: { token, now },
    endOperatorSession: { token },
    endNamedOperatorSession: { ownerId: operatorId, name: '0' },
    endOperatorSessions: { ownerId: operatorId },
  };
}

/** Every change of an operator's page. */
export function operatorChanges(
  email: string,
  prefix: string,
  requestId: string,
): OperatorChange[] {
  const now = Date.now();
  const rates = { requestsPerMinute: 5, inFlightMax: 2 };
  const report = { customers: 1, entries: 1, held: 0, differences: [] };
  const by = { startedAt: now, endedAt: now, actor: 'loopback' };
  const many = { customerId: 1, requestIds: ['d', 'other'], filter: '', now };
  const audit = { ...by, report, auditsMax: 1, differencesMax: 1 };
  return [
    asOperator('addCustomer', { email: 'x@example.org', credits: 5, linkExpiresAt: now, now }),
    asOperator('createLink', { email, expiresAt: now }),
    asOperator('setCustomerLanes', { email, lanes: 'web' }),
    asOperator('createKey', { email, name: 'Given', ...rates, now }),
    asOperator('setKeyRates', { prefix, ...rates }),
    asOperator('revokeKey', { prefix, at: now + 60_000 }),
    asOperator('rotateKey', { prefix, graceEnds: now + 60_000, now }),
    asOperator('refundSearch', { requestId, now }),
    asOperator('refundRequests', many),
    asOperator('takeBackCredit', { customerId: 1, entryId: 1, now }),
    asOperator('setCustomerNote', { email, note: 'calls often' }),
    asOperator('disableCustomer', { email, now }),
    asOperator('enableCustomer', { email }),
    asOperator('setAlerts', {
      settings: [{ kind: 'disk', isOn: true, threshold: 5 }],
    }),
    asOperator('addOperator', { email: OPERATOR, linkExpiresAt: now, now }),
    asOperator('linkOperator', { email: OPERATOR, expiresAt: now }),
    asOperator('removeOperator', { email: OPERATOR }),
    asOperator('keepAudit', audit),
    asOperator('recordReconciled', { events: [], dryRun: true, now }),
  ];
}

export function asOperator<Name extends OperatorChange['name']>(
  name: Name,
  input: Parameters<(typeof changes)[Name]>[0],
  token?: string,
): OperatorChange {
  const session = token === undefined ? undefined : hashToken(token);
  return {
    name,
    input,
    by: { actor: 'loopback', submission: `${name} of the test`, session },
    at: 5,
  };
}

/** What a server writes to its own file. */
export function serverInputs(now: number) {
  return {
    addServerSample: { endedAt: now, numbers: '{}', before: now },
    addIndexUpdate: { path: '', actor: 'loopback', now, updatesMax: 1 },
    endIndexUpdate: { id: 1, outcome: 'done' as const, message: null, now },
  };
}
