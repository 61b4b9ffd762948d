/** Paid calls on SQLite: steps in the ledger's thread, look-ups by an index on this one. */
import { createAccessTokenReader } from '../../store/accounts/access-tokens.ts';
import { type ApiKey, createKeyReader, isRevoked } from '../../store/accounts/api-keys.ts';
import { createBalanceReader } from '../../store/accounts/customers.ts';
import { periodOf } from '../../store/accounts/ledger.ts';
import { findOwnKey } from '../../store/accounts/own-keys.ts';
import { createUsageReader } from '../../store/accounts/search-usage.ts';
import { createAnswerReader } from '../../store/accounts/stored-answers.ts';
import { createChangeWatch, keepUntilChange } from '../../store/database/change-watch.ts';
import type { Connection } from '../../store/database/connection.ts';
import type { LedgerWriter } from '../../workers/ledger-writer.ts';
import type { Admission, AnswerLookUp, KeyCredit, PaidCallStore } from '../paid-call-store.ts';
import { createRateLimiter } from '../rate-limiter.ts';

export interface PaidCallSettings {
  /** The rate of keys without one of their own. */
  requestsPerMinute: number;
  rateBucketsMax: number;
  keysCachedMax: number;
}

export function createPaidCalls(
  db: Connection,
  { hold, settle, release, storeAnswer }: LedgerWriter,
  settings: PaidCallSettings,
): PaidCallStore {
  const kept = { watch: createChangeWatch(db), keptMax: settings.keysCachedMax };
  const keys = createKeyReader(db, kept);
  const tokens = createAccessTokenReader(db, kept);
  const balanceOf = createBalanceReader(db);
  // As this turn of the event loop found it. The hold decides, so it may be old by that.
  const recentBalanceOf = keepUntilChange(balanceOf, kept);
  const usageOf = createUsageReader(db);
  const answers = createAnswerReader(db);
  // There is one process, so its memory is where all requests of a key are counted.
  const rates = createRateLimiter(settings.rateBucketsMax);
  const takeRate = ({ id, requestsPerMinute }: RatedKey, now: number) =>
    rates.take(id, requestsPerMinute ?? settings.requestsPerMinute, now);
  const creditOf = ({ id, customerId, creditsPerMonthMax: cap }: ApiKey, now: number) => {
    const monthLeft = cap === null ? null : cap - usageOf(id, periodOf(now)).credits;
    return { balance: recentBalanceOf(customerId), monthLeft } satisfies KeyCredit;
  };
  const admitKey = (key: ApiKey, now: number): Admission => {
    const rate = takeRate(key, now);
    return { key, rate, credit: rate.allowed ? creditOf(key, now) : undefined };
  };
  const readKeyAccount = db.transaction((keyId: number, customerId: number, period: string) => ({
    usage: usageOf(keyId, period),
    balance: balanceOf(customerId),
  }));
  const findAnswer = db.transaction(
    (request: AnswerRequest): AnswerLookUp => ({
      stored: answers.find(request, request.now),
      own: answers.totalsOf(request.customerId),
      all: answers.totals(),
    }),
  );
  return {
    hold,
    settle,
    release,
    storeAnswer,
    async admit({ secret, acceptsTokens, now }) {
      const key =
        keys.authenticate(secret, now) ??
        (acceptsTokens ? tokens.authenticate(secret, now) : undefined);
      return key && admitKey(key, now);
    },
    async admitOwnKey({ now, ...name }) {
      const key = findOwnKey(db, name);
      return key === undefined || isRevoked(key, now) ? undefined : admitKey(key, now);
    },
    takeRates: async (key, { count, now }) =>
      Array.from({ length: count }, () => takeRate(key, now)),
    findAnswer: async (request) => findAnswer(request),
    readBalance: async (customerId) => balanceOf(customerId),
    readKeyAccount: async ({ id, customerId }, { period }) =>
      readKeyAccount(id, customerId, period),
  };
}

type AnswerRequest = Parameters<PaidCallStore['findAnswer']>[0];
type RatedKey = Pick<ApiKey, 'id' | 'requestsPerMinute'>;
