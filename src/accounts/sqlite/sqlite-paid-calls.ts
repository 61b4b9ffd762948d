/** Paid calls on SQLite: steps in the ledger's thread, look-ups by an index on this one. */

import { createChangeWatch, keepUntilChange } from '../../database/sqlite/change-watch.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { runOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import type { LedgerWriter } from '../ledger-thread/ledger-writer.ts';
import { createRateLimiter } from '../ports/key-rate-limiter.ts';
import type {
  Admission,
  AnswerLookUp,
  KeyCredit,
  PaidCallStore,
} from '../ports/paid-call-store.ts';
import { type ApiKey, isRevoked } from '../sql/api-keys.ts';
import { periodOf } from '../sql/calendar-month.ts';
import { readBalance } from '../sql/customers.ts';
import { findOwnKey } from '../sql/own-keys.ts';
import { readKeyAccount } from '../sql/search-usage.ts';
import { createAccessTokenReader } from './ledger/access-tokens.ts';
import { createKeyReader } from './ledger/key-reader.ts';
import { createAnswerReader } from './ledger/stored-answers.ts';

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
  // As this turn of the event loop found it. The hold decides, so it may be old by that.
  const recentBalanceOf = keepUntilChange(
    (customerId: number) => runOnSqlite(db, readBalance(customerId)),
    kept,
  );
  const answers = createAnswerReader(db);
  // There is one process, so its memory is where all requests of a key are counted.
  const rates = createRateLimiter(settings.rateBucketsMax);
  const takeRate = ({ id, requestsPerMinute }: RatedKey, now: number) =>
    rates.take(id, requestsPerMinute ?? settings.requestsPerMinute, now);
  const creditOf = (key: ApiKey, now: number): KeyCredit => {
    const { customerId, creditsPerMonthMax: cap } = key;
    if (cap === null) return { balance: recentBalanceOf(customerId), monthLeft: null };
    const { balance, usage } = runOnSqlite(db, readKeyAccount(key, { period: periodOf(now) }));
    return { balance, monthLeft: cap - usage.credits };
  };
  const admitKey = (key: ApiKey, now: number): Admission => {
    const rate = takeRate(key, now);
    return { key, rate, credit: rate.allowed ? creditOf(key, now) : undefined };
  };
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
      const key = runOnSqlite(db, findOwnKey(name));
      return key === undefined || isRevoked(key, now) ? undefined : admitKey(key, now);
    },
    takeRates: async (key, { count, now }) =>
      Array.from({ length: count }, () => takeRate(key, now)),
    findAnswer: async (request) => findAnswer(request),
  };
}

type AnswerRequest = Parameters<PaidCallStore['findAnswer']>[0];
type RatedKey = Pick<ApiKey, 'id' | 'requestsPerMinute'>;
