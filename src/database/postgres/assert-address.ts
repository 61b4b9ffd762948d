/** Where PostgreSQL is, as settings say it. */
import { VerbatimError } from '../../errors.ts';

/** Throws `usage` for another kind of address. The message does not have it: it has a password. */
export function assertPostgresAddress(variable: string, address: string): void {
  if (/^postgres(ql)?:\/\/./.test(address)) return;
  throw new VerbatimError(
    'usage',
    `${variable} must be empty, or begin with postgres:// as in postgres://USER:PASSWORD@HOST/DATABASE`,
  );
}
