/** What customers read, on SQLite. A transaction reads one moment, whatever is written meanwhile. */
import { countActivity, readActivityPage } from '../../store/accounts/activity.ts';
import { listOwnQuestions } from '../../store/accounts/answer-outcomes.ts';
import { readBalance } from '../../store/accounts/customers.ts';
import { readLedgerPage } from '../../store/accounts/ledger-pages.ts';
import { listOwnKeys } from '../../store/accounts/own-keys.ts';
import { usageByDay } from '../../store/accounts/search-usage.ts';
import { readUsageDetails } from '../../store/accounts/usage-details.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { ReportStore } from '../report-store.ts';

export function createReports(db: Connection): ReportStore {
  const inOneSnapshot =
    <Request, Result>(read: (request: Request) => Result) =>
    async (request: Request): Promise<Result> =>
      db.transaction(read)(request);
  return {
    readOverview: inOneSnapshot((given) => ({
      balance: readBalance(db, given.customerId),
      keys: listOwnKeys(db, given),
      days: usageByDay(db, given),
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
