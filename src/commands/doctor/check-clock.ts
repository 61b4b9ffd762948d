/**
 * The clock, against the years in which this program runs, the clock of PostgreSQL, and the ledger.
 */
import { readNewestEntryTime } from '../../accounts/sql/ledger-pages.ts';
import { runOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import { type DatabaseCheck, error, type Finding, ok } from './check.ts';

/** This program was written in 2026. */
const YEAR_MIN = 2026;
const YEAR_MAX = 2100;
/** Clocks that are synchronized differ by less. */
const TOLERANCE_MS = 60_000;
const ADVICE = 'set the clock, and let it be synchronized: timedatectl set-ntp true';

export const checkClock: DatabaseCheck = {
  name: 'clock',
  async run({ now, settings }, db) {
    const year = new Date(now).getUTCFullYear();
    if (year < YEAR_MIN || year > YEAR_MAX) return [wrongClock(now, '')];
    if (settings.accountsAddress === '') {
      return [compare(now, runOnSqlite(db, readNewestEntryTime()))];
    }
    const { stateOfPostgres } = await import('../../accounts/postgres/read-server-state.ts');
    const shared = await stateOfPostgres(settings);
    const isTogether = Math.abs(shared.now - now) <= TOLERANCE_MS;
    if (!isTogether)
      return [wrongClock(now, `, but that of PostgreSQL says ${timeOf(shared.now)}`)];
    return [compare(now, shared.newestEntryAt)];
  },
};

function compare(now: number, newestEntryAt: number | null): Finding {
  if (newestEntryAt === null || newestEntryAt <= now + TOLERANCE_MS) return ok(timeOf(now));
  return wrongClock(now, `, but the ledger has an entry of ${timeOf(newestEntryAt)}`);
}

function wrongClock(now: number, why: string): Finding {
  return error(`the clock says ${timeOf(now)}${why}`, ADVICE);
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}
