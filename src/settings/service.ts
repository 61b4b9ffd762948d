/** Settings of the process, its database and its HTTP service. */
import type { SettingsPart } from './setting.ts';

export const serviceSettings = {
  database: {
    variable: 'VERBATIM_DB',
    value: 'verbatim.db',
    help: 'the SQLite file with index, keys and ledger',
  },
  model: {
    variable: 'VERBATIM_MODEL',
    value: '',
    help: 'folder of the embedding model; empty: the one that comes with Verbatim',
  },
  host: { variable: 'VERBATIM_HOST', value: '0.0.0.0', help: 'address to listen on' },
  port: { variable: 'VERBATIM_PORT', value: 8080, help: 'port to listen on; 0: any free one' },
  requestsPerMinute: {
    variable: 'VERBATIM_REQUESTS_PER_MINUTE',
    value: 120,
    help: 'burst and refill of the token bucket of a key that has no rate of its own',
  },
  inFlightPerKeyMax: {
    variable: 'VERBATIM_IN_FLIGHT_PER_KEY_MAX',
    value: 8,
    help: 'searches in flight for a key that has no cap of its own',
  },
  inFlightMax: {
    variable: 'VERBATIM_IN_FLIGHT_MAX',
    value: 64,
    help: 'searches in flight in all; above it the answer is 503',
  },
  requestTimeoutMs: {
    variable: 'VERBATIM_REQUEST_TIMEOUT_MS',
    value: 10_000,
    help: 'wall-clock limit of one search; after it 504 and the credit back',
  },
  bodyTimeoutMs: {
    variable: 'VERBATIM_BODY_TIMEOUT_MS',
    // The web framework closes a silent connection after 8 to 12 seconds, without an answer.
    value: 5_000,
    help: 'wait for a request body; after it 408',
  },
  bodyBytesMax: {
    variable: 'VERBATIM_BODY_BYTES_MAX',
    value: 64 * 1024,
    help: 'size of a request body; above it 413',
  },
  headBytesMax: {
    variable: 'VERBATIM_HEAD_BYTES_MAX',
    value: 16 * 1024,
    help: 'size of a request line with its headers; above it 431',
  },
  uncompressedBytesMax: {
    variable: 'VERBATIM_UNCOMPRESSED_BYTES_MAX',
    value: 1024,
    help: 'size of an answer of the API; above it, it is compressed for clients that accept gzip or br',
  },
  drainTimeoutMs: {
    variable: 'VERBATIM_DRAIN_TIMEOUT_MS',
    value: 15_000,
    help: 'wait for searches in flight after SIGTERM',
  },
  rateBucketsMax: {
    variable: 'VERBATIM_RATE_BUCKETS_MAX',
    value: 10_000,
    help: 'keys whose rate is remembered at a time',
  },
  holdDelayMs: {
    variable: 'VERBATIM_HOLD_DELAY_MS',
    value: 2,
    help: 'wait of a hold for its search to begin, and for other holds to share its transaction with',
  },
  settleDelayMs: {
    variable: 'VERBATIM_SETTLE_DELAY_MS',
    value: 20,
    help: 'wait of a settlement for a hold to share its transaction with',
  },
  usageWaitMs: {
    variable: 'VERBATIM_USAGE_WAIT_MS',
    value: 500,
    help: 'wait of a usage call for the searches just answered to be counted',
  },
  ledgerBatchMax: {
    variable: 'VERBATIM_LEDGER_BATCH_MAX',
    value: 256,
    help: 'ledger operations that share one transaction',
  },
  ledgerRetryMs: {
    variable: 'VERBATIM_LEDGER_RETRY_MS',
    value: 1_000,
    help: 'pause between two tries to write while the ledger cannot be written',
  },
  openHoldsMax: {
    variable: 'VERBATIM_OPEN_HOLDS_MAX',
    value: 1_000,
    help: 'searches whose credit is held, until what they came to is written; above it the answer is 503',
  },
  databaseCheckMs: {
    variable: 'VERBATIM_DATABASE_CHECK_MS',
    value: 1_000,
    help: 'pause between two looks at whether the database is still in its place',
  },
  lockWaitMs: {
    variable: 'VERBATIM_LOCK_WAIT_MS',
    value: 5_000,
    help: 'wait for another process that is writing the database',
  },
  pageBytesCachedMax: {
    variable: 'VERBATIM_PAGE_BYTES_CACHED_MAX',
    value: 16 * 1024 * 1024,
    help: 'bytes of the database that each connection keeps in memory',
  },
} as const satisfies SettingsPart;
