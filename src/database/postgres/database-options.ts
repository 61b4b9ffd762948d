/** How the settings say where PostgreSQL is. */
import type { Settings } from '../../settings/config.ts';
import { assertPostgresAddress } from './assert-address.ts';
import type { DatabaseOptions } from './postgres-database.ts';

export type DatabaseSettings = Pick<
  Settings,
  | 'accountsAddress'
  | 'accountConnectionsMax'
  | 'accountConnectTimeoutMs'
  | 'accountStatementTimeoutMs'
  | 'accountLongStatementTimeoutMs'
>;

/** Throws `usage` for another kind of address. */
export function databaseOptions(settings: DatabaseSettings): DatabaseOptions {
  const { accountsAddress: url } = settings;
  assertPostgresAddress('VERBATIM_ACCOUNTS', url);
  return {
    url,
    connectionsMax: settings.accountConnectionsMax,
    connectTimeoutMs: settings.accountConnectTimeoutMs,
    statementTimeoutMs: settings.accountStatementTimeoutMs,
    longStatementTimeoutMs: settings.accountLongStatementTimeoutMs,
  };
}

/** An address without user, password, and options, for messages. */
export function nameOfDatabase(address: string): string {
  const [, name = ''] = /^postgres(?:ql)?:\/\/(?:[^?]*@)?([^?]*)/.exec(address) ?? [];
  return `postgres://${name}`;
}
