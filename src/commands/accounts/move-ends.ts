/** Which databases `--from` and `--to` name. */

import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';

export interface MoveEnds {
  direction: 'to_postgres' | 'to_file';
  path: string;
  address: string;
}

export const isAddress = (name: string): boolean => /^postgres(ql)?:/.test(name);

/** Throws `usage` unless one of the two is a file, and the other one is on PostgreSQL. */
export function readMoveEnds(from: string, to: string): MoveEnds {
  if (isAddress(from) === isAddress(to)) {
    throw new VerbatimError(
      'usage',
      'name an SQLite file and an address that begins with postgres://, one with --from and the other with --to',
    );
  }
  return isAddress(to)
    ? { direction: 'to_postgres', path: from, address: to }
    : { direction: 'to_file', path: to, address: from };
}

/** The settings of a connection that may audit a whole ledger. */
export function accountSettings(settings: Settings): Settings {
  return { ...settings, accountStatementTimeoutMs: settings.accountLongStatementTimeoutMs };
}
