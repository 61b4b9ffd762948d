/** The clock, against the years in which this program runs, and against the ledger. */
import { readLastEntryTime } from '../store/accounts/ledger-pages.ts';
import { type DatabaseCheck, error, ok } from './check.ts';

/** This program was written in 2026. */
const YEAR_MIN = 2026;
const YEAR_MAX = 2100;
/** Clocks that are synchronized differ by less. */
const TOLERANCE_MS = 60_000;

export const checkClock: DatabaseCheck = {
  name: 'clock',
  run({ now }, db) {
    const advice = 'set the clock, and let it be synchronized: timedatectl set-ntp true';
    const time = new Date(now).toISOString();
    const year = new Date(now).getUTCFullYear();
    if (year < YEAR_MIN || year > YEAR_MAX) return [error(`the clock says ${time}`, advice)];
    const last = readLastEntryTime(db);
    if (last === undefined || last <= now + TOLERANCE_MS) return [ok(time)];
    const later = new Date(last).toISOString();
    return [
      error(`the clock says ${time}, but the last entry of the ledger is of ${later}`, advice),
    ];
  },
};
