/** What a call costs, as the descriptions of tools say it. */
import type { Backend } from './backend.ts';

/** Returns the price of one search or look-up. */
export function priceOf({ usage }: Backend): string {
  return usage === undefined ? 'Free.' : 'Costs 1 credit; failures are free.';
}
