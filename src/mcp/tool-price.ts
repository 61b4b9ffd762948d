/** What a call costs, as the descriptions of tools say it. */
import type { Backend } from './backend.ts';

/** Returns the price of one call, which costs so much. */
export function priceOf({ usage }: Backend, credits = '1 credit'): string {
  return usage === undefined ? 'Free.' : `Costs ${credits}; failures are free.`;
}
