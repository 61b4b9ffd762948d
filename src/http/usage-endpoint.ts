/** GET /v1/usage: what the calling key has used in this calendar month (UTC). Costs nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../store/accounts/keys.ts';
import { periodOf } from '../store/accounts/ledger.ts';
import type { ServiceParts } from './deps.ts';
import type { HttpAnswer } from './messages.ts';
import { creditsLeft, jsonAnswer } from './responses.ts';

export async function usageEndpoint(parts: ServiceParts, key: ApiKey): Promise<HttpAnswer> {
  // A search that was answered a moment ago is to be counted, unless the ledger is locked.
  await Promise.race([parts.ledger.flush(), wait(parts.settings.usageWaitMs)]);
  const period = periodOf(parts.now());
  const usage = parts.usageOf(key.id, period);
  const balance = creditsLeft(parts.balanceOf(key.customerId));
  return jsonAnswer(200, { period, ...usage, balance });
}
