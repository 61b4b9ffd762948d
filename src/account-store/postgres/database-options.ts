/** How the settings say where PostgreSQL is. */
import type { Settings } from '../../config.ts';
import { VerbatimError } from '../../errors.ts';
import type { DatabaseOptions } from '../../store/postgres/database.ts';

export type DatabaseSettings = Pick<
  Settings,
  | 'accountsAddress'
  | 'accountConnectionsMax'
  | 'accountConnectTimeoutMs'
  | 'accountStatementTimeoutMs'
>;

/** Throws `usage` for another kind of address. The message does not have it: it has a password. */
export function databaseOptions(settings: DatabaseSettings): DatabaseOptions {
  const { accountsAddress: url } = settings;
  if (!/^postgres(ql)?:\/\/./.test(url)) {
    throw new VerbatimError(
      'usage',
      'VERBATIM_ACCOUNTS must be empty, or begin with postgres:// as in postgres://USER:PASSWORD@HOST/DATABASE',
    );
  }
  return {
    url,
    connectionsMax: settings.accountConnectionsMax,
    connectTimeoutMs: settings.accountConnectTimeoutMs,
    statementTimeoutMs: settings.accountStatementTimeoutMs,
  };
}

/** An address without user, password, and options, for messages. */
export function nameOfDatabase(address: string): string {
  const [, name = ''] = /^postgres(?:ql)?:\/\/(?:[^?]*@)?([^?]*)/.exec(address) ?? [];
  return `postgres://${name}`;
}
