/** Records of providers that last as long as the process: for commands without a database. */
import { createHash } from 'node:crypto';
import { type BackoffRecord, DAY_MS, type ProviderRecords } from '../records/lane-records.ts';

export function createInMemoryRecords(): ProviderRecords {
  const backoffs = new Map<string, BackoffRecord>();
  const requests = new Map<string, { day: number; count: number }>();
  const today = (): number => Math.floor(Date.now() / DAY_MS);
  const requestsToday = (provider: string): number => {
    const counted = requests.get(provider);
    return counted?.day === today() ? counted.count : 0;
  };
  return {
    backoffOf: (subject) => backoffs.get(subject),
    setBackoff: (subject, backoff) => void backoffs.set(subject, backoff),
    clearBackoff: (subject) => void backoffs.delete(subject),
    // Within one process, the rate limiter is enough.
    leaseWaitMs: () => 0,
    acquireLease: () => 0,
    releaseLease: () => {},
    countRequest(provider) {
      requests.set(provider, { day: today(), count: requestsToday(provider) + 1 });
    },
    requestsToday,
  };
}

/**
 * The key of a backoff in the records: the provider or its key, and a digest of the account that the
 * provider sees. A backoff of a rejected key does not apply to the key that replaces it.
 */
export function backoffSubject(whom: string, account: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(account)).digest('hex');
  return `${whom} ${digest}`;
}
