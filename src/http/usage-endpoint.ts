/** GET /v1/usage: what the calling key has used in this calendar month (UTC). Costs nothing. */
import type { ApiKey } from '../store/keys.ts';
import { periodOf } from '../store/ledger.ts';
import { jsonAnswer } from './answers.ts';
import type { ServiceParts } from './parts.ts';
import type { HttpAnswer } from './server.ts';

export function usageEndpoint(parts: ServiceParts, key: ApiKey): HttpAnswer {
  const period = periodOf(parts.now());
  const usage = parts.usageOf(key.id, period);
  return jsonAnswer(200, { period, ...usage, balance: parts.balanceOf(key.customerId) });
}
