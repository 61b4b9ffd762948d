/**
 * When the database was last backed up, and how accounts on PostgreSQL are. `verbatim backup` copies the
 * SQLite file only, which then has no accounts. What its operator does with pg_dump cannot be seen from
 * here.
 */
import { existsSync } from 'node:fs';
import { readLastBackup } from '../../database/sqlite/last-backup.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

const ADVICE =
  'archive its log (archive_mode, pg_basebackup), or run pg_dump from a timer; `verbatim backup` does not copy accounts on PostgreSQL';

/** Backups are made each day, and one may fail. */
const AGE_HOURS_MAX = 48;
const HOUR_MS = 3_600_000;
const BACK_UP = 'run `verbatim backup FOLDER --keep 7` each night, from a timer';

export const checkBackup: Check = {
  name: 'backup',
  async run({ settings, now }) {
    if (settings.accountsAddress === '') return [ofFile(settings.database, now)];
    const { stateOfPostgres } = await import('../../accounts/postgres/read-server-state.ts');
    const { archiving, standbys } = await stateOfPostgres(settings);
    const standby = `${standbys} standbys connected`;
    if (archiving === 'fails') {
      return [warning('PostgreSQL fails to archive its log', 'see its log, and archive_command')];
    }
    if (archiving === 'on') return [ok(`PostgreSQL archives its log, ${standby}`)];
    return [warning(`PostgreSQL does not archive its log, ${standby}`, ADVICE)];
  },
};

function ofFile(database: string, now: number): Finding {
  const last = readLastBackup(database);
  if (last === undefined) return warning('no backup of this database is known', BACK_UP);
  const hours = Math.floor((now - last.at) / HOUR_MS);
  const found = `the last backup is ${hours} hours old: ${last.path}`;
  if (hours >= AGE_HOURS_MAX) return warning(found, BACK_UP);
  if (!existsSync(last.path))
    return warning(`${found}, which is not there`, 'is its disk mounted?');
  return ok(found);
}
