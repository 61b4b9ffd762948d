/** Settings of requests with an `Idempotency-Key`, and of batches. */
import { limit, type SettingsPart } from './setting.ts';

export const paidRequestSettings = {
  answerAgeMsMax: {
    kind: 'integer',
    value: 24 * 3_600_000,
    unit: 'ms',
    help: 'how long the answer to a request with an `Idempotency-Key` is stored for its repeats',
  },
  idempotencyKeyCharactersMax: limit(
    255,
    'characters',
    'length of an `Idempotency-Key`; beyond it, the response is 400',
  ),
  // A key at the default rate sends 172,800 requests in 24 hours.
  answersPerCustomerMax: limit(
    200_000,
    'answers',
    'stored answers of a customer; beyond it, a new `Idempotency-Key` gets 429',
  ),
  answerBytesPerCustomerMax: limit(
    1024 * 1024 * 1024,
    'bytes',
    'size of the stored answers of a customer; beyond it, a new `Idempotency-Key` gets 429',
  ),
  answerBytesMax: {
    kind: 'integer',
    value: 2 * 1024 * 1024 * 1024,
    unit: 'bytes',
    help: 'size of all stored answers; beyond it, a new `Idempotency-Key` gets 429',
  },
  expiredAnswersCheckMs: limit(
    10_000,
    'ms',
    'time between two deletions of stored answers that have expired',
  ),
  expiredAnswersDeletedMax: limit(
    100,
    'answers',
    'expired answers that are deleted in one transaction',
  ),
  batchBodyBytesMax: limit(
    512 * 1024,
    'bytes',
    'size of the body of a batch; beyond it, the response is 413',
  ),
  batchSearchesInFlightMax: {
    kind: 'integer',
    value: 4,
    unit: 'searches',
    help: 'concurrent searches of one batch; each counts as a search in flight of the key and in total',
  },
  batchTimeoutMs: {
    kind: 'integer',
    value: 30_000,
    unit: 'ms',
    help: 'time after which a batch begins no further search; the questions left get the outcome 504',
  },
} as const satisfies SettingsPart;
