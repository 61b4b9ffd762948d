/** The version of the tables. */

import { assertCurrent, TABLES_VERSION } from '../../database/migrations/migrate-file.ts';
import { VerbatimError } from '../../errors.ts';
import { type DatabaseCheck, error, ok } from './check.ts';

export const checkTables: DatabaseCheck = {
  name: 'tables',
  run({ settings }, db) {
    try {
      assertCurrent(db);
      return [ok(`version ${TABLES_VERSION}`)];
    } catch (cause) {
      if (!(cause instanceof VerbatimError)) throw cause;
      const [what = '', command] = cause.message.split('; run: ');
      return [error(what, command ?? `use the Verbatim that wrote ${settings.database}`)];
    }
  },
};
