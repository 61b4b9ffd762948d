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
    kind: 'integer',
    variable: 'VERBATIM_ACCOUNT_CONNECT_TIMEOUT_MS',
    value: 5_000,
    unit: 'ms',
    help: 'how long a statement waits for a connection',
  },
  accountStatementTimeoutMs: {
    kind: 'integer',
    variable: 'VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS',
    value: 10_000,
    unit: 'ms',
    help: 'the longest that a statement may take, with its wait for locks',
  },
  accountSilenceMs: {
    kind: 'integer',
    variable: 'VERBATIM_ACCOUNT_SILENCE_MS',
    value: 3_000,
    unit: 'ms',
    help: 'how long PostgreSQL may take to answer a check, which is sent every `VERBATIM_DATABASE_CHECK_MS`; then all connections to it count as broken',
  },
  nodeLeaseMs: {
    kind: 'integer',
    variable: 'VERBATIM_NODE_LEASE_MS',
    value: 30_000,
    unit: 'ms',
    help: 'how long a server counts as alive after its last sign; then others release its holds; longer than `VERBATIM_ACCOUNT_CONNECT_TIMEOUT_MS` and `VERBATIM_ACCOUNT_STATEMENT_TIMEOUT_MS` together',
  },
  deadHoldsReleasedMax: {
    kind: 'integer',
    variable: 'VERBATIM_DEAD_HOLDS_RELEASED_MAX',
    value: 1_000,
    unit: 'holds',
    help: 'holds of dead servers that are released in one transaction',
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
    kind: 'integer',
    variable: 'VERBATIM_SHARED_LANES_CHECK_MS',
    value: 1_000,
    unit: 'ms',
    help: 'time between two looks at the backoffs and daily counts that other servers have written; a lease looks at once',
  },
  sharedLanesWaitMs: {
    kind: 'integer',
    variable: 'VERBATIM_SHARED_LANES_WAIT_MS',
    value: 250,
    unit: 'ms',
    help: 'how long a search waits for the cache of responses in PostgreSQL; then the provider is asked',
  },
  sharedTriesMax: {
    kind: 'integer',
    variable: 'VERBATIM_SHARED_TRIES_MAX',
    value: 100_000,
    unit: 'entries',
    help: 'accounts, addresses, and browsers whose attempts are kept in PostgreSQL, of all kinds together',
  },
} as const satisfies SettingsPart;
