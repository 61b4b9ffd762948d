/** Settings of the process, its database, and its HTTP service. */
import { limit, type SettingsPart } from './setting.ts';

export const serviceSettings = {
  database: {
    kind: 'path',
    variable: 'VERBATIM_DB',
    value: 'verbatim.db',
    help: 'the SQLite file with the index, the keys, and the ledger',
  },
  model: {
    kind: 'path',
    value: '',
    help: 'folder of the embedding model; empty: the model that comes with Verbatim',
  },
  host: { kind: 'text', value: '0.0.0.0', help: 'address to listen on' },
  port: {
    kind: 'integer',
    value: 8080,
    unit: 'port',
    min: 0,
    max: 65535,
    help: 'port to listen on; 0: any free port',
  },
  tlsCertificate: {
    kind: 'path',
    value: '',
    help: 'file of the certificate, followed by the intermediate ones, in PEM form; empty: no TLS',
  },
  tlsKey: {
    kind: 'path',
    value: '',
    help: 'file of the key of the certificate, in PEM form and without a passphrase',
  },
  healthTimeoutMs: limit(
    5_000,
    'ms',
    'how long `verbatim health` and `verbatim doctor` wait for a server',
  ),
  healthBytesMax: limit(64 * 1024, 'bytes', 'the longest answer that they read'),
  upgradeReadyMs: limit(
    120_000,
    'ms',
    'how long `verbatim upgrade` waits until the server that it started is ready',
  ),
  requestsPerMinute: {
    kind: 'integer',
    value: 120,
    unit: 'requests a minute',
    help: 'size and refill of the token bucket of a key without a rate of its own',
  },
  verifyThreads: {
    kind: 'integer',
    value: 1,
    unit: 'threads',
    help: 'worker threads that verify quotes and references; they start with the first request',
  },
  inFlightPerKeyMax: {
    kind: 'integer',
    value: 8,
    unit: 'searches',
    help: 'concurrent searches of a key without a limit of its own',
  },
  inFlightMax: {
    kind: 'integer',
    value: 64,
    unit: 'searches',
    help: 'concurrent searches of all keys; beyond it, the response is 503',
  },
  requestTimeoutMs: {
    kind: 'integer',
    value: 10_000,
    unit: 'ms',
    help: 'time limit of a search; after it, the response is 504 and the credit is returned',
  },
  // The library closes a connection that stalls for some 5 s more without a response.
  bodyTimeoutMs: limit(
    5_000,
    'ms',
    'time limit of receiving a request body; after it, the response is 408',
  ),
  bodyBytesMax: {
    kind: 'integer',
    value: 64 * 1024,
    unit: 'bytes',
    help: 'size of a request body; beyond it, the response is 413',
  },
  headBytesMax: limit(
    16 * 1024,
    'bytes',
    'size of a request line with its headers; beyond it, the response is 431',
  ),
  uncompressedBytesMax: limit(
    1024,
    'bytes',
    'size beyond which API responses are compressed for clients that accept gzip or br',
  ),
  drainTimeoutMs: {
    kind: 'integer',
    value: 15_000,
    unit: 'ms',
    help: 'how long a stopping server waits for the searches in flight',
  },
  rateBucketsMax: limit(10_000, 'keys', 'keys whose token buckets are kept in memory'),
  promptRejectionsMax: limit(
    1_000,
    'responses',
    'API responses with 401, 429 or 503 that leave with the next batch in a burst; further ones wait',
  ),
  promptRejectionsPerSecond: limit(
    100,
    'responses a second',
    'how many prompt rejections come back per second',
  ),
  promptRejectionsPerSearch: limit(
    2,
    'responses',
    'how many prompt rejections come back with each search that is served',
  ),
  rejectionBatchMs: limit(
    20,
    'ms',
    'the time between two batches of rejections; a prompt one leaves with the next',
  ),
  rejectionDelayMs: limit(
    4_000,
    'ms',
    'how long a rejection that is not prompt waits, from half of this to one and a half, so that clients that retry at once do not take the time of searches',
  ),
  rejectionsDelayedMax: limit(
    2_000,
    'responses',
    'rejections that may wait; beyond it, each leaves at once',
  ),
  keysCachedMax: limit(
    1_000,
    'keys',
    'keys, and balances of customers, that are kept in memory until the database changes',
  ),
  rejectionLinesMax: limit(
    20,
    'lines a second',
    'log lines of refused requests (401, 404, 429, 503); beyond it, one line counts the rest',
  ),
  holdDelayMs: limit(
    2,
    'ms',
    'how long a hold waits for its search to begin, and for other holds to share its transaction',
  ),
  settleDelayMs: limit(20, 'ms', 'how long a settlement waits for a hold to share its transaction'),
  usageWaitMs: limit(
    500,
    'ms',
    'how long a usage request waits until the latest searches are counted',
  ),
  ledgerBatchMax: limit(256, 'operations', 'ledger operations in one transaction'),
  ledgerRetryMs: limit(
    1_000,
    'ms',
    'time between two attempts to write while the ledger cannot be written',
  ),
  openHoldsMax: limit(
    2_000,
    'searches',
    'searches with a held credit whose outcome is not written yet; beyond it, the response is 503',
  ),
  databaseCheckMs: limit(
    1_000,
    'ms',
    'time between two checks that the database file is still in its place',
  ),
  lockWaitMs: {
    kind: 'integer',
    value: 5_000,
    unit: 'ms',
    help: 'how long to wait for another process that writes the database',
  },
  pageBytesCachedMax: {
    kind: 'integer',
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    help: 'page cache of each database connection',
  },
} as const satisfies SettingsPart;
