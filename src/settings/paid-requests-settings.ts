/** Settings of requests with an `Idempotency-Key`, and of batches. */
import type { SettingsPart } from './setting.ts';

export const paidRequestSettings = {
  answerAgeMsMax: {
    kind: 'integer',
    variable: 'VERBATIM_ANSWER_AGE_MS_MAX',
    value: 24 * 3_600_000,
    unit: 'ms',
    help: 'how long the answer to a request with an `Idempotency-Key` is stored for its repeats',
  },
  idempotencyKeyCharactersMax: {
    kind: 'limit',
    value: 255,
    unit: 'characters',
    why: 'length of an `Idempotency-Key`; beyond it, the response is 400',
  },
  answersPerCustomerMax: {
    kind: 'limit',
    // A key at the default rate sends 172,800 requests in 24 hours.
    value: 200_000,
    unit: 'answers',
    why: 'stored answers of a customer; beyond it, a new `Idempotency-Key` gets 429',
  },
  answerBytesPerCustomerMax: {
    kind: 'limit',
    value: 1024 * 1024 * 1024,
    unit: 'bytes',
    why: 'size of the stored answers of a customer; beyond it, a new `Idempotency-Key` gets 429',
  },
  answerBytesMax: {
    kind: 'integer',
    variable: 'VERBATIM_ANSWER_BYTES_MAX',
    value: 2 * 1024 * 1024 * 1024,
    unit: 'bytes',
    help: 'size of all stored answers; beyond it, a new `Idempotency-Key` gets 429',
  },
  expiredAnswersCheckMs: {
    kind: 'limit',
    value: 10_000,
    unit: 'ms',
    why: 'time between two deletions of stored answers that have expired',
  },
  expiredAnswersDeletedMax: {
    kind: 'limit',
    value: 100,
    unit: 'answers',
    why: 'expired answers that are deleted in one transaction',
  },
  batchBodyBytesMax: {
    kind: 'limit',
    value: 512 * 1024,
    unit: 'bytes',
    why: 'size of the body of a batch; beyond it, the response is 413',
  },
  batchSearchesInFlightMax: {
    kind: 'integer',
    variable: 'VERBATIM_BATCH_SEARCHES_IN_FLIGHT_MAX',
    value: 4,
    unit: 'searches',
    help: 'concurrent searches of one batch; each counts as a search in flight of the key and in total',
  },
  batchTimeoutMs: {
    kind: 'integer',
    variable: 'VERBATIM_BATCH_TIMEOUT_MS',
    value: 30_000,
    unit: 'ms',
    help: 'time after which a batch begins no further search; the questions left get the outcome 504',
  },
} as const satisfies SettingsPart;
