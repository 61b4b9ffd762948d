/** GET /v1/usage: what the key has used in this calendar month (UTC). Costs nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../accounts/sql/api-keys.ts';
import { periodOf } from '../accounts/sql/calendar-month.ts';
import type { KeyUsage } from '../accounts/sql/search-usage.ts';
import type { HttpResponse } from './messages.ts';
import { creditsLeft, jsonResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

/** What a key has used in a calendar month, and what its customer has left. */
export interface UsageReport extends KeyUsage {
  /** The month in UTC, as in `2026-11`. */
  period: string;
  /** Credits. */
  balance: number;
}

/** Reads the usage of this month, with the searches that were just answered. */
export async function readUsageReport(deps: ServiceDeps, key: ApiKey): Promise<UsageReport> {
  // Count searches that were just answered, unless the ledger is locked.
  await Promise.race([deps.store.flush(), wait(deps.settings.usageWaitMs)]);
  const period = periodOf(deps.now());
  const { usage, balance } = await deps.store.readKeyAccount(key, { period });
  return { period, ...usage, balance: creditsLeft(balance) };
}

export async function usageEndpoint(deps: ServiceDeps, key: ApiKey): Promise<HttpResponse> {
  return jsonResponse(200, await readUsageReport(deps, key));
}
