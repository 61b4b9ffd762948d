/** What customers read, on SQLite. A transaction reads one moment, whatever is written meanwhile. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { ReportStore } from '../ports/report-store.ts';
import { countActivity, readActivityPage } from '../sql/activity-rows.ts';
import { listOwnQuestions } from '../sql/answer-outcomes.ts';
import { readBalance } from '../sql/customers.ts';
import { readLedgerPage } from '../sql/ledger-pages.ts';
import { listOwnKeys } from '../sql/own-keys.ts';
import { usageByDay } from '../sql/search-usage.ts';
import { readUsageDetails } from '../sql/usage-details.ts';

export function createReports(db: Connection): ReportStore {
  const inOneSnapshot =
    <Request, Result>(read: (request: Request) => Result) =>
    async (request: Request): Promise<Result> =>
      db.transaction(read)(request);
  return {
    readOverview: inOneSnapshot((input) => ({
      balance: readBalance(db, input.customerId),
      keys: listOwnKeys(db, input),
      days: usageByDay(db, input),
    })),
    readActivityPage: inOneSnapshot((request) => readActivityPage(db, request)),
    readActivity: inOneSnapshot((request) => ({
      page: readActivityPage(db, request),
      totals: countActivity(db, request),
    })),
    readLedgerPage: inOneSnapshot((request) => readLedgerPage(db, request)),
    listOwnQuestions: async (customerId) => listOwnQuestions(db, customerId),
    readUsage: inOneSnapshot((range) => ({
      byDay: readUsageDetails(db, range, 'day'),
      byKey: readUsageDetails(db, range, 'key_id'),
    })),
  };
}
