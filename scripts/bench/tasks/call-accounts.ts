/**
 * Paid calls through the account store. A client waits for its admission and its hold, as a search does,
 * and sends the settlement without waiting, as the service does.
 */
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import { createRandom } from '../random.ts';
import type { AccountKey } from './add-accounts.ts';
import { withAccounts } from './open-accounts.ts';

export interface CallsInput {
  place: string;
  accounts: AccountKey[];
  clients: number;
  seconds: number;
  /** Until then, in milliseconds since 1970, the calls only connect and fill the caches. */
  startAt: number;
  seed: string;
}

export interface Called {
  /** Calls that were settled. */
  calls: number;
  /** Of them, up to the last settlement. */
  perSecond: number;
  /** From the start of each call to its hold. */
  milliseconds: number[];
  /** The processor time of this process for each of them. */
  processorMs: number;
  failures: string[];
}

const MEASURES = { milliseconds: 12, lanes: [], outcome: 'close' } as const;

export function callAccounts(input: CallsInput): Promise<Called> {
  const { place, accounts, clients, seconds, startAt, seed } = input;
  return withAccounts(place, async (store) => {
    const random = createRandom(seed);
    const next = () => accounts[random.below(accounts.length)] as AccountKey;
    const called: Called = {
      calls: 0,
      perSecond: 0,
      milliseconds: [],
      processorMs: 0,
      failures: [],
    };
    const loop = async (goOn: () => boolean): Promise<void> => {
      const settled: Promise<unknown>[] = [];
      const client = async (): Promise<void> => {
        while (goOn()) await call(store, next(), called, settled);
      };
      await Promise.all(Array.from({ length: clients }, client));
      await store.flush();
      await Promise.all(settled);
    };
    await loop(() => Date.now() < startAt);
    const { calls } = called;
    called.milliseconds.length = 0;
    const started = performance.now();
    const used = process.cpuUsage();
    await loop(() => performance.now() - started < seconds * 1_000);
    const { user, system } = process.cpuUsage(used);
    const timed = called.calls - calls;
    called.perSecond = (timed / (performance.now() - started)) * 1_000;
    called.processorMs = (user + system) / 1_000 / timed;
    return called;
  });
}

async function call(
  store: AccountStore,
  { customerId, keyId, secret }: AccountKey,
  called: Called,
  settled: Promise<unknown>[],
): Promise<void> {
  const requestId = crypto.randomUUID();
  const started = performance.now();
  try {
    const now = Date.now();
    const admission = await store.admit({ secret, acceptsTokens: true, now });
    if (admission?.credit === undefined) throw new Error('a call was refused');
    const balance = await store.hold({ requestId, customerId, keyId, credits: 1, now });
    if (balance === undefined) throw new Error('a hold found no credit');
  } catch (error) {
    called.failures.push(String(error));
    return;
  }
  called.milliseconds.push(performance.now() - started);
  const note = (balance: number | undefined): void => {
    if (balance === undefined) called.failures.push('a settlement found no hold');
    else called.calls++;
  };
  settled.push(
    store.settle(requestId, MEASURES).then(note, (error) => called.failures.push(String(error))),
  );
}
