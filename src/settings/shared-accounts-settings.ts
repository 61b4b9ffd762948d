/** Settings of accounts on PostgreSQL, which several servers share. */
import { limit, type SettingsPart } from './setting.ts';

export const sharedAccountSettings = {
  accountsAddress: {
    kind: 'text',
    variable: 'VERBATIM_ACCOUNTS',
    value: '',
    secret: true,
    help: 'where the accounts are, as `postgres://USER:PASSWORD@HOST/DATABASE` (PostgreSQL 15 or later; `?sslmode=verify-full` for TLS); empty: in the SQLite file of the index',
  },
  accountConnectionsMax: {
    kind: 'integer',
    value: 8,
    unit: 'connections',
    min: 2,
    help: 'connections of a server to PostgreSQL',
  },
  accountConnectTimeoutMs: limit(5_000, 'ms', 'how long a statement waits for a connection'),
  accountStatementTimeoutMs: {
    kind: 'integer',
    value: 10_000,
    unit: 'ms',
    help: 'the longest that a statement may take, with its wait for locks',
  },
  accountAdmissionListsMax: limit(
    1,
    'lists',
    'admissions of requests go to PostgreSQL in lists; so many lists at once, and whatever arrives meanwhile shares the next one',
  ),
  accountAdmissionBatchMax: limit(64, 'admissions', 'admissions in one list'),
  accountAdmissionsWaitingMax: limit(
    10_000,
    'admissions',
    'admissions that may wait for a list; beyond it, the response is 503',
  ),
  accountLongStatementTimeoutMs: limit(
    3_600_000,
    'ms',
    'the same for what reads everything: audits, and `verbatim accounts move`',
  ),
  accountMoveBatchRows: limit(
    500,
    'rows',
    'rows that `verbatim accounts move` reads and writes at once',
  ),
  accountMoveBatchBytes: limit(
    4 * 1024 * 1024,
    'bytes',
    'size at which a batch from an SQLite file ends, if it has fewer rows',
  ),
  accountSilenceMs: limit(
    3_000,
    'ms',
    'how long PostgreSQL may take to answer a check, which is sent every `databaseCheckMs`; then all connections to it count as broken',
  ),
  nodeLeaseMs: {
    kind: 'integer',
    value: 30_000,
    unit: 'ms',
    help: 'how long a server counts as alive after its last sign; then others release its holds; longer than `VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS` and the limit `accountConnectTimeoutMs` together',
  },
  deadHoldsReleasedMax: limit(
    1_000,
    'holds',
    'holds of dead servers that are released in one transaction',
  ),
  sharedLaneConnectionsMax: {
    kind: 'integer',
    value: 2,
    unit: 'connections',
    min: 1,
    help: 'connections of a server to PostgreSQL for what fallback lanes share',
  },
  sharedLanesCheckMs: limit(
    1_000,
    'ms',
    'time between two looks at the backoffs and daily counts that other servers have written; a lease looks at once',
  ),
  sharedLanesWaitMs: limit(
    250,
    'ms',
    'how long a search waits for the cache of responses in PostgreSQL; then the provider is asked',
  ),
  sharedTriesMax: limit(
    100_000,
    'entries',
    'accounts, addresses, and browsers whose attempts are kept in PostgreSQL, of all kinds together',
  ),
} as const satisfies SettingsPart;
