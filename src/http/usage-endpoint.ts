/** GET /v1/usage: what the key has used in this calendar month (UTC). Costs nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../store/accounts/api-keys.ts';
import { periodOf } from '../store/accounts/ledger.ts';
import type { HttpResponse } from './messages.ts';
import { creditsLeft, jsonResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

export async function usageEndpoint(deps: ServiceDeps, key: ApiKey): Promise<HttpResponse> {
  // Count searches that were just answered, unless the ledger is locked.
  await Promise.race([deps.ledger.flush(), wait(deps.settings.usageWaitMs)]);
  const period = periodOf(deps.now());
  const usage = deps.usageOf(key.id, period);
  const balance = creditsLeft(deps.balanceOf(key.customerId));
  return jsonResponse(200, { period, ...usage, balance });
}
