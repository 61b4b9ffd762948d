/** The month that a search counts in. The other decisions of the ledger are in ../conformance/ledger.ts. */
import { expect, it } from 'vitest';
import { periodOf } from '../../../src/accounts/sql/calendar-month.ts';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addAccount, NOW, openMemoryStore, rowsOf } from '../../support/accounts.ts';

const rows: [time: number, period: string][] = [
  [Date.UTC(2026, 0, 1), '2026-01'],
  [Date.UTC(2026, 0, 31, 23, 59, 59, 999), '2026-01'],
  [Date.UTC(2026, 1, 1), '2026-02'],
  [Date.UTC(2028, 1, 29, 12), '2028-02'],
  [Date.UTC(2026, 11, 31, 23, 59, 59, 999), '2026-12'],
  [Date.UTC(2027, 0, 1), '2027-01'],
];
it.each(rows)('the month of a search at %i is %s in UTC', (time, period) => {
  expect(periodOf(time)).toBe(period);
  const db = openMemoryStore();
  const account = addAccount(db);
  changeOnSqlite(db, topUp({ customerId: account.customerId, credits: 5, now: NOW }));
  const ledger = createLedger(db);
  ledger.hold({ requestId: 'a', ...account, credits: 1, now: NOW });
  ledger.settle('a', time);
  expect(rowsOf(db, 'SELECT period FROM usage')).toEqual([{ period }]);
  expect(auditLedger(db).differences).toEqual([]);
});
