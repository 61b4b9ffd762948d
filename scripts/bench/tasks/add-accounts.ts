/** Adds customers with credit and a key each. */
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { withAccounts } from './open-accounts.ts';

/** More than any run needs, because credit and limits are not what is measured. */
export const CREDITS = 1_000_000_000;
const REQUESTS_PER_MINUTE = 1_000_000_000;
const IN_FLIGHT = 10_000;
/** Customers that are added at once. */
const BATCH = 50;

export interface AccountKey {
  customerId: number;
  keyId: number;
  secret: string;
}

export function addAccounts(given: {
  place: string;
  name: string;
  count: number;
}): Promise<AccountKey[]> {
  return withAccounts(given.place, async ({ asOperator }) => {
    const operator = asOperator(commandLine);
    const now = Date.now();
    const add = async (number: number): Promise<AccountKey> => {
      const email = `${given.name}-${number}@localhost`;
      await operator.addCustomer({ email, credits: CREDITS, linkExpiresAt: now, now });
      const caps = { requestsPerMinute: REQUESTS_PER_MINUTE, inFlightMax: IN_FLIGHT };
      const { key, secret } = await operator.createKey({ email, name: 'bench', ...caps, now });
      return { customerId: key.customerId, keyId: key.id, secret };
    };
    const added: AccountKey[] = [];
    for (let first = 0; first < given.count; first += BATCH) {
      const count = Math.min(BATCH, given.count - first);
      const some = Array.from({ length: count }, (_, index) => add(first + index));
      added.push(...(await Promise.all(some)));
    }
    return added;
  });
}
