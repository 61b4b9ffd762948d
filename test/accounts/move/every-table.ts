/** Accounts that have a row in each table that moves, and that add up. */

import { createKey } from '../../../src/accounts/sql/api-keys.ts';
import { startTopUp } from '../../../src/accounts/sql/automatic-top-up-rows.ts';
import { refundSearch, topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { changeAsOperator } from '../../../src/accounts/sql/operator-changes.ts';
import { enrollOperator } from '../../../src/accounts/sql/operator-sign-in-rows.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { addOperator } from '../../../src/accounts/sql/operators.ts';
import { recordRequests } from '../../../src/accounts/sql/request-rows.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import { prepareStoreAnswer } from '../../../src/accounts/sqlite/ledger/stored-answers.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addAccount, NOW } from '../../support/accounts.ts';
import { countsOf, recorded } from '../../support/recorded.ts';

/** The id of the last member, who was removed. No member must ever get it again. */
export const LAST_MEMBER = 900;

interface Filling {
  /** Searches, each with two entries of the ledger. */
  searches?: number;
}

export function fillEveryTable(db: Connection, { searches = 10 }: Filling = {}): void {
  const { customerId, keyId } = addAccount(db, 'ada@example.org');
  changeOnSqlite(
    db,
    topUp({
      customerId,
      credits: searches + 100,
      reference: 'invoice 1',
      note: 'é "x"',
      now: NOW,
    }),
  );
  const input = { email: 'ada@example.org', lanes: 'none' as const };
  const by = { by: commandLine, at: NOW };
  changeOnSqlite(db, changeAsOperator({ name: 'setCustomerLanes', input, ...by } as never));
  addCalls(db, { customerId, keyId, searches });
  const clientKey = changeOnSqlite(
    db,
    createKey({
      customerId,
      name: 'client',
      requestsPerMinute: 5,
      inFlightMax: 2,
      now: NOW,
    }),
  );
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const run = (sql: string, ...values: unknown[]) => db.prepare(sql).run(...values);
  run(
    `INSERT INTO members (id, customer_id, email, role, created_at) VALUES (?, ?, 'gone@x', 'billing', 1)`,
    LAST_MEMBER,
    customerId,
  );
  run('DELETE FROM members WHERE id = ?', LAST_MEMBER);
  run("INSERT INTO outcome_days VALUES (?, '2026-03-14', 'served', 3)", keyId);
  const requests = [recorded({ customerId, keyId, createdAt: NOW, asked: 'é?' })];
  run(
    'UPDATE customers SET asked_days = 7, account_name = ?, time_zone = ? WHERE id = ?',
    'É & Co',
    'Asia/Kolkata',
    customerId,
  );
  changeOnSqlite(db, recordRequests({ requests, counts: countsOf(requests) }));
  run("INSERT INTO kept_questions VALUES (4, ?, 'é?', 'served', ?)", customerId, NOW);
  run("INSERT INTO ledger_audits VALUES (3, 1, 2, 'loopback', 1, 2, 0, 1, '[\"é\"]')");
  run("INSERT INTO alert_settings VALUES ('disk', 1, 512)");
  run("INSERT INTO alert_states VALUES ('disk', 'a:1', 'mail', 1, 2, 3)");
  run('INSERT INTO replaced_secrets VALUES (?, ?, ?, ?)', keyId, first, 'abc', NOW);
  run('INSERT INTO sign_in_links VALUES (1, ?, ?)', first, NOW);
  run('INSERT INTO sessions VALUES (?, 1, ?, ?, ?, NULL)', first, NOW, NOW, 'Firefox on Linux');
  run("INSERT INTO second_factors VALUES ('ada@example.org', ?, 7, ?)", second, NOW);
  run("INSERT INTO recovery_codes VALUES ('ada@example.org', ?)", second);
  addEnrolledOperator(db, second);
  run(
    "INSERT INTO client_grants VALUES (5, ?, 'https://a.example', ?, ?, ?)",
    clientKey.key.id,
    first,
    NOW,
    NOW,
  );
  run(
    `INSERT INTO client_codes VALUES (?, ?, 'https://a.example', 'Agent', 'https://a.example/', 'x', 9, ?, 5)`,
    ...[first, customerId, NOW],
  );
  run("INSERT INTO client_tokens VALUES (?, 5, 'refresh', ?, NULL)", second, NOW);
  run(
    `INSERT INTO payments (order_id, customer_id, credits, amount, currency, state, created_at)
     VALUES ('order', ?, 10, 900, 'eur', 'expired', ?)`,
    ...[customerId, NOW],
  );
  run("INSERT INTO payment_events VALUES ('evt_1', 'checkout', 1, 'odd', ?, ?)", NOW, NOW);
  run("INSERT INTO billing_notices VALUES (?, 'low_balance', 2, 3, 4, 5)", customerId);
  run("INSERT INTO buyers VALUES (?, 'Ada', 'VAT 1')", customerId);
  run("INSERT INTO card_removals VALUES ('cus_1', 'pm_1', 5)");
  const terms = { threshold: 5, credits: 10, amount: 500, currency: 'usd' };
  const bounds = { amountPerMonthMax: 900, setUp: 'set-up', now: NOW };
  changeOnSqlite(db, startTopUp({ ...terms, ...bounds, customerId }));
  run("INSERT INTO refunds VALUES ('re_1', 'pi_1', 900, 'eur', 1)");
  run("INSERT INTO payment_refunds VALUES ('pi_1', 900, 'eur')");
  run("INSERT INTO payment_disputes VALUES ('dp_1', 'pi_1', 900, 'eur', 0, ?)", NOW);
}

/** Searches that were charged, one refunded, one stored for repeats, and one still open. */
function addCalls(
  db: Connection,
  { customerId, keyId, searches }: { customerId: number; keyId: number; searches: number },
): void {
  const ledger = createLedger(db);
  const storeAnswer = prepareStoreAnswer(db, ledger);
  const hold = (requestId: string, now = NOW) =>
    ledger.hold({ requestId, customerId, keyId, credits: 1, now });
  db.transaction(() => {
    for (let search = 0; search < searches; search++) {
      const now = NOW + search * 60_000;
      hold(`search-${search}`, now);
      ledger.settle(`search-${search}`, now + 9, { milliseconds: search % 90, lanes: [] });
    }
    hold('stored');
    const request = { customerId, idempotencyKey: 'once', fingerprint: new Uint8Array([0, 255]) };
    const content = { headers: { A: 'b' }, body: '{"q":"“é”"}', expiresAt: NOW + 9, now: NOW };
    storeAnswer({ request, requestId: 'stored', charged: ['stored'], released: [], ...content });
    hold('open');
  })();
  changeOnSqlite(db, refundSearch({ requestId: 'search-0', now: NOW + 99 }));
}

function addEnrolledOperator(db: Connection, secret: Uint8Array): void {
  const email = 'root@example.org';
  const { token } = changeOnSqlite(
    db,
    addOperator({ email, linkExpiresAt: NOW + 1, now: NOW }),
  ).link;
  const factor = { secret, step: 1, recoveryHashes: [secret] };
  const limits = { lifetimeMs: 9, idleMs: 9, perMemberMax: 9 };
  changeOnSqlite(db, enrollOperator({ token, passwordHash: 'x', ...factor, limits, now: NOW }));
}
