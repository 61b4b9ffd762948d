/** What to do about tables that no step brings up to date any more. */
import { VerbatimError } from '../../errors.ts';

/** The version whose tables are the oldest that steps start from. It migrates all older ones. */
export const OLDEST_PROGRAM = '0.2.0';

/** Returns `database_unusable` with the advice. */
export function olderTables(found: string, advice: string): VerbatimError {
  const message = `${found}; they are older than those of Verbatim ${OLDEST_PROGRAM}`;
  return new VerbatimError('database_unusable', `${message}; ${advice}`);
}
