/** Settings of accounts on PostgreSQL, which several servers share. */
import type { SettingsPart } from './setting.ts';

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
    variable: 'VERBATIM_ACCOUNT_CONNECTIONS_MAX',
    value: 8,
    unit: 'connections',
    min: 2,
    help: 'connections of a server to PostgreSQL',
  },
  accountConnectTimeoutMs: {
    kind: 'limit',
    value: 5_000,
    unit: 'ms',
    why: 'how long a statement waits for a connection',
  },
  accountStatementTimeoutMs: {
    kind: 'integer',
    variable: 'VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS',
    value: 10_000,
    unit: 'ms',
    help: 'the longest that a statement may take, with its wait for locks',
  },
  accountAdmissionListsMax: {
    kind: 'limit',
    value: 1,
    unit: 'lists',
    why: 'admissions of requests go to PostgreSQL in lists; so many lists at once, and whatever arrives meanwhile shares the next one',
  },
  accountAdmissionBatchMax: {
    kind: 'limit',
    value: 64,
    unit: 'admissions',
    why: 'admissions in one list',
  },
  accountAdmissionsWaitingMax: {
    kind: 'limit',
    value: 10_000,
    unit: 'admissions',
    why: 'admissions that may wait for a list; beyond it, the response is 503',
  },
  accountLongStatementTimeoutMs: {
    kind: 'limit',
    value: 3_600_000,
    unit: 'ms',
    why: 'the same for what reads everything: audits, and `verbatim accounts move`',
  },
  accountMoveBatchRows: {
    kind: 'limit',
    value: 500,
    unit: 'rows',
    why: 'rows that `verbatim accounts move` reads and writes at once',
  },
  accountMoveBatchBytes: {
    kind: 'limit',
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    why: 'size at which a batch from an SQLite file ends, if it has fewer rows',
  },
  accountSilenceMs: {
    kind: 'limit',
    value: 3_000,
    unit: 'ms',
    why: 'how long PostgreSQL may take to answer a check, which is sent every `databaseCheckMs`; then all connections to it count as broken',
  },
  nodeLeaseMs: {
    kind: 'integer',
    variable: 'VERBATIM_NODE_LEASE_MS',
    value: 30_000,
    unit: 'ms',
    help: 'how long a server counts as alive after its last sign; then others release its holds; longer than `VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS` and the limit `accountConnectTimeoutMs` together',
  },
  deadHoldsReleasedMax: {
    kind: 'limit',
    value: 1_000,
    unit: 'holds',
    why: 'holds of dead servers that are released in one transaction',
  },
  sharedLaneConnectionsMax: {
    kind: 'integer',
    variable: 'VERBATIM_SHARED_LANE_CONNECTIONS_MAX',
    value: 2,
    unit: 'connections',
    min: 1,
    help: 'connections of a server to PostgreSQL for what fallback lanes share',
  },
  sharedLanesCheckMs: {
    kind: 'limit',
    value: 1_000,
    unit: 'ms',
    why: 'time between two looks at the backoffs and daily counts that other servers have written; a lease looks at once',
  },
  sharedLanesWaitMs: {
    kind: 'limit',
    value: 250,
    unit: 'ms',
    why: 'how long a search waits for the cache of responses in PostgreSQL; then the provider is asked',
  },
  sharedTriesMax: {
    kind: 'limit',
    value: 100_000,
    unit: 'entries',
    why: 'accounts, addresses, and browsers whose attempts are kept in PostgreSQL, of all kinds together',
  },
} as const satisfies SettingsPart;
