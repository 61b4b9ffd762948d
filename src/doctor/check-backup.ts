/**
 * How accounts on PostgreSQL are backed up. `verbatim backup` copies the SQLite file only, which then has
 * no accounts. What its operator does with pg_dump cannot be seen from here.
 */
import { type Check, ok, warning } from './check.ts';

const ADVICE =
  'archive its log (archive_mode, pg_basebackup), or run pg_dump from a timer; `verbatim backup` does not copy accounts on PostgreSQL';

export const checkBackup: Check = {
  name: 'backup',
  async run({ settings }) {
    if (settings.accountsAddress === '') return [];
    const { stateOfPostgres } = await import('../account-store/postgres/read-server-state.ts');
    const { archiving, standbys } = await stateOfPostgres(settings);
    const standby = `${standbys} standbys connected`;
    if (archiving === 'fails') {
      return [warning('PostgreSQL fails to archive its log', 'see its log, and archive_command')];
    }
    if (archiving === 'on') return [ok(`PostgreSQL archives its log, ${standby}`)];
    return [warning(`PostgreSQL does not archive its log, ${standby}`, ADVICE)];
  },
};
