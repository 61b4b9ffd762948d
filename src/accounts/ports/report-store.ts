/** What customers read: their overview, activity, ledger, and usage. */
import type {
  ActivityPage,
  ActivityRequest,
  ActivityTotal,
  PageStart,
} from '../sql/activity-rows.ts';
import type { KeptQuestion } from '../sql/answer-outcomes.ts';
import type { LedgerPage, LedgerPageRequest } from '../sql/ledger-pages.ts';
import type { OwnKey } from '../sql/own-keys.ts';
import type { DayUsage } from '../sql/search-usage.ts';
import type { UsageDetails, UsageRange } from '../sql/usage-details.ts';

/** Balance, keys, and days that agree with each other. */
export interface CustomerOverview {
  balance: number;
  /** Oldest first, including revoked ones. */
  keys: OwnKey[];
  /** The last days up to today, oldest first, including days without a search. */
  days: DayUsage[];
}

export interface ActivityView {
  page: ActivityPage;
  /** All lines of the filter by outcome. */
  totals: ActivityTotal[];
}

/** Usage by the day (`YYYY-MM-DD`) and by the id of the key, of whatever has some. */
export interface UsageView {
  byDay: ReadonlyMap<string, UsageDetails>;
  byKey: ReadonlyMap<string, UsageDetails>;
}

type ActivityPageRequest = ActivityRequest & { start: PageStart; linesMax: number };

/** Every method reads one moment, and nothing of another customer. */
export interface ReportStore {
  readOverview(input: { customerId: number; days: number; now: number }): Promise<CustomerOverview>;
  /** Reads a page of lines, newest first. New lines shift nothing. */
  readActivityPage(request: ActivityPageRequest): Promise<ActivityPage>;
  /** Reads a page and counts all lines of its filter, whose times are the starts of days. */
  readActivity(request: ActivityPageRequest): Promise<ActivityView>;
  /** Reads a page of ledger entries, newest first. New entries shift nothing. */
  readLedgerPage(request: LedgerPageRequest): Promise<LedgerPage>;
  readUsage(range: UsageRange): Promise<UsageView>;
  /** Lists the questions of a customer that the operator keeps, oldest first. */
  listOwnQuestions(customerId: number): Promise<KeptQuestion[]>;
}
