/** A deleted customer: nothing of persons is left in any table, and the ledger adds up. */
import { describe, expect, it } from 'vitest';
import { applyAccountWrite } from '../../../src/accounts/ledger-thread/ledger-worker.ts';
import { createKey } from '../../../src/accounts/sql/api-keys.ts';
import { saveBuyer } from '../../../src/accounts/sql/buyers.ts';
import { addCode, redeemCode } from '../../../src/accounts/sql/client-grants.ts';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { addCustomer, listCustomers } from '../../../src/accounts/sql/customers.ts';
import { inviteMember, ownerOf } from '../../../src/accounts/sql/member-rows.ts';
import { changeAsOperator, operatorChanges } from '../../../src/accounts/sql/operator-changes.ts';
import { rotateOwnSecret } from '../../../src/accounts/sql/own-keys.ts';
import { setPasswordByLink } from '../../../src/accounts/sql/passwords.ts';
import { enableSecondFactor } from '../../../src/accounts/sql/second-factor-rows.ts';
import { createLink } from '../../../src/accounts/sql/sign-in-links.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import { prepareStoreAnswer } from '../../../src/accounts/sqlite/ledger/stored-answers.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { NOW, openMemoryStore, rowsOf } from '../../support/accounts.ts';

/** What a deletion does with each table that names customers, members, keys, or addresses. */
const tables: Readonly<Record<string, 'deleted' | 'pseudonym' | 'kept'>> = {
  customers: 'pseudonym',
  api_keys: 'pseudonym',
  members: 'deleted',
  sign_in_links: 'deleted',
  sessions: 'deleted',
  second_factors: 'deleted',
  recovery_codes: 'deleted',
  replaced_secrets: 'deleted',
  client_codes: 'deleted',
  client_grants: 'pseudonym',
  client_tokens: 'deleted',
  stored_answers: 'deleted',
  billing_notices: 'deleted',
  buyers: 'deleted',
  automatic_top_ups: 'deleted',
  // Numbers only, and what Stripe calls its payments.
  stored_answer_totals: 'kept',
  ledger_entries: 'kept',
  operator_actions: 'kept',
  // An operator is no customer, even with the same address.
  operators: 'kept',
  ledger_days: 'kept',
  open_holds: 'kept',
  requests: 'deleted',
  request_days: 'kept',
  usage: 'kept',
  usage_days: 'kept',
  latency_days: 'kept',
  lane_days: 'kept',
  outcome_days: 'kept',
  kept_questions: 'deleted',
  payments: 'kept',
};
const SECRETS = [
  'asked by ada',
  'ada@',
  'colleague@',
  'Ada’s notebook',
  'Ada’s house',
  'Ada’s hotel',
  'Her agent',
  'Ada asked',
  'agent.example',
];

/** A customer with something in every table. */
function addEverything(db: Connection): { customerId: number; memberId: number; keyId: number } {
  const { id: customerId } = changeOnSqlite(
    db,
    addCustomer({ email: 'ada@example.org', now: NOW }),
  );
  const memberId = runOnSqlite(db, ownerOf(customerId));
  const limits = { lifetimeMs: 9, idleMs: 9, perMemberMax: 9 };
  const { token } = changeOnSqlite(db, createLink({ memberId, expiresAt: NOW + 9 }));
  changeOnSqlite(
    db,
    setPasswordByLink({ token, passwordHash: 'x', limits, now: NOW, device: 'Firefox' }),
  );
  changeOnSqlite(db, createLink({ memberId, expiresAt: NOW + 9 }));
  const colleague = { customerId, email: 'colleague@example.org', role: 'owner' } as const;
  changeOnSqlite(db, inviteMember({ ...colleague, membersMax: 9, linkExpiresAt: NOW, now: NOW }));
  const factor = { email: 'ada@example.org', secret: Buffer.alloc(20), step: 1, now: NOW };
  changeOnSqlite(db, enableSecondFactor({ ...factor, recoveryHashes: [Buffer.alloc(32)] }));
  changeOnSqlite(db, topUp({ customerId, credits: 5, now: NOW }));
  const caps = { requestsPerMinute: null, inFlightMax: null };
  const { key } = changeOnSqlite(
    db,
    createKey({ customerId, name: 'Ada’s notebook', ...caps, now: NOW }),
  );
  changeOnSqlite(db, saveBuyer({ customerId, address: 'Ada’s house', taxId: '' }));
  changeOnSqlite(
    db,
    changeAsOperator({
      name: 'createKey',
      input: { email: 'ada@example.org', name: 'Ada’s notebook', ...caps, now: NOW },
      by: { actor: 'loopback' },
      at: NOW,
    }),
  );
  changeOnSqlite(
    db,
    operatorChanges.setCustomerNote({ email: 'ada@example.org', note: 'Ada’s hotel' }),
  );
  changeOnSqlite(
    db,
    rotateOwnSecret({ customerId, prefix: key.prefix, graceEnds: NOW + 99, now: NOW }),
  );
  const client = { clientId: 'https://agent.example/', clientName: 'Her agent' };
  const grant = { redirectUri: '', codeChallenge: '', creditsPerMonthMax: 1, now: NOW };
  const code = changeOnSqlite(
    db,
    addCode({ customerId, ...client, ...grant, expiresAt: NOW + 9, codesMax: 9 }),
  );
  const times = { accessTokenMs: 9, refreshTokenMs: 9, refreshGraceMs: 0, tokensPerGrantMax: 9 };
  changeOnSqlite(
    db,
    redeemCode({
      ...{ ...client, ...grant, code },
      limits: { ...times, keysMax: 9, keysEverMax: 9 },
    }),
  );
  const ledger = createLedger(db);
  ledger.hold({ requestId: 'r', customerId, keyId: key.id, credits: 1, now: NOW });
  const question = { text: 'asked by ada', questionsMax: 9 };
  prepareStoreAnswer(
    db,
    ledger,
  )({
    request: { customerId, idempotencyKey: 'Ada asked', fingerprint: Buffer.alloc(32) },
    requestId: 'r',
    headers: {},
    body: 'Ada asked',
    charged: ['r'],
    measures: { r: { milliseconds: 1, lanes: [], outcome: 'nothing', question } },
    released: [],
    expiresAt: NOW + 9,
    now: NOW,
  });
  return { customerId, memberId, keyId: key.id };
}

describe('a deleted customer', () => {
  it('leaves nothing of persons in any table, and a ledger that adds up', () => {
    const db = openMemoryStore();
    const { customerId, memberId } = addEverything(db);
    const before = Buffer.from(db.serialize()).toString('utf8');
    for (const secret of SECRETS) expect(before, secret).toContain(secret);
    const entries = rowsOf(db, 'SELECT * FROM ledger_entries');
    const input = { customerId, memberId, creditsForfeited: 4, proof: { step: 2 }, now: NOW + 1 };
    db.transaction(() => applyAccountWrite(db, { name: 'deleteCustomer', input }))();
    const some = { name: 'deleteAnswersOf', input: { customerId, limit: 1 } } as const;
    while (applyAccountWrite(db, some) === 1);
    for (const [table, what] of Object.entries(tables)) {
      const rows = rowsOf(db, `SELECT * FROM ${table}`);
      if (what === 'deleted') expect(rows, table).toEqual([]);
      const text = JSON.stringify(rows);
      for (const secret of SECRETS) expect(text, table).not.toContain(secret);
    }
    // Not even in the free parts of the file.
    const bytes = Buffer.from(db.serialize()).toString('utf8');
    for (const secret of SECRETS) expect(bytes, secret).not.toContain(secret);
    expect(db.pragma('secure_delete', { simple: true })).toBe(0);
    expect(runOnSqlite(db, listCustomers())).toMatchObject([
      { email: `deleted-${customerId}`, balance: 0, disabledAt: NOW + 1, lanes: null },
    ]);
    expect(rowsOf(db, 'SELECT * FROM ledger_entries').slice(0, -1)).toEqual(entries);
    expect(auditLedger(db).differences).toEqual([]);
    // The address is free.
    expect(changeOnSqlite(db, addCustomer({ email: 'ada@example.org', now: NOW })).id).not.toBe(
      customerId,
    );
  });

  it('and every table that could name a person is listed here', () => {
    const db = openMemoryStore();
    const names = rowsOf(
      db,
      `SELECT DISTINCT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'
         AND c.name IN ('customer_id', 'member_id', 'key_id', 'grant_id', 'email')`,
    ) as { name: string }[];
    const direct = ['customers', 'api_keys', 'client_tokens'];
    expect([...new Set([...names.map(({ name }) => name), ...direct])].sort()).toEqual(
      Object.keys(tables).sort(),
    );
    expect(
      rowsOf(db, "SELECT group_concat(name, ' ') AS names FROM pragma_table_info('customers')"),
    ).toEqual([
      {
        names:
          'id email balance created_at disabled_at low_balance lanes top_up_below asked_days operator_note unconfirmed_since account_name time_zone',
      },
    ]);
  });
});
