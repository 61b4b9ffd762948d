/**
 * What can be wrong with a server, the worst first: when it is, and what operators read of it. Alerts, their
 * page, and the verdict on the page Now are all made of this table. Pure.
 */
import type { AlertSetting, ReviewCounts } from '../../accounts/sql/alert-rows.ts';
import type { KnownDamage } from '../../database/damage/damage-register.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import type { ServiceNumbers } from '../service-numbers.ts';

export interface Facts
  extends Pick<ServiceNumbers, 'uptimeSeconds' | 'isReady' | 'isLedgerWritable' | 'diskFreeBytes'>,
    Pick<ServiceNumbers, 'lastBackupAt' | 'certificateEndsAt'> {
  /** In milliseconds since 1970, as all times here. */
  now: number;
  damage: readonly Pick<KnownDamage, 'part' | 'isBlocking' | 'noticedAt'>[];
  /** Lanes that are down, and since when. */
  lanesDown: readonly { name: string; since: number }[];
  /** Paid calls of the last 5 minutes that were answered or failed, and those that failed. */
  calls: number;
  callsFailed: number;
  /** Undefined: unknown, or there are no payments. */
  reviews: ReviewCounts | undefined;
}

interface Found {
  /** A clause: "the disk has 12 MB left". */
  text: string;
  /** Since when, if the facts say so. */
  since?: number;
  /** Whether searches cannot be served with it. */
  isBlocking?: boolean;
}

interface AlertDescription {
  title: string;
  /** From when on, by default, and its unit; null: always. */
  threshold: number | null;
  unit: string;
  /** All servers have it together, and each later `since` is news. Otherwise each server has its own. */
  isShared?: boolean;
  advice: string;
  /** The page that says more. */
  path: string;
  find(facts: Facts, threshold: number): Found | undefined;
}

const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Fewer calls that fail are no alert, whatever their share. */
const CALLS_FAILED_MIN = 5;

const table = {
  searches: {
    title: 'Failing searches',
    threshold: 5,
    unit: 'percent of calls in 5 minutes',
    advice:
      'Look at the other alerts first: a full disk or a damaged file is a cause. Otherwise read the log, from the first error on.',
    path: '/operator/requests',
    find({ isReady, isLedgerWritable, calls, callsFailed }, threshold) {
      if (!isLedgerWritable) return { text: 'the accounts cannot be written', isBlocking: true };
      if (!isReady) return { text: 'the server is not ready', isBlocking: true };
      if (callsFailed < CALLS_FAILED_MIN || callsFailed * 100 < threshold * calls) return undefined;
      const text = `${callsFailed} of ${calls} calls in 5 minutes ended with an error of the server`;
      return { text, isBlocking: true };
    },
  },
  damage: {
    title: 'Damaged file',
    threshold: null,
    unit: '',
    advice:
      'The log says which part, and how. Look for a failing disk. Then stop the server, restore the last good backup with verbatim restore, and start it.',
    path: '/operator#storage',
    find({ damage }) {
      if (damage.length === 0) return undefined;
      return {
        text: `the database file is damaged (${damage.map(({ part }) => part).join(', ')})`,
        since: Math.min(...damage.map(({ noticedAt }) => noticedAt)),
        isBlocking: damage.some(({ isBlocking }) => isBlocking),
      };
    },
  },
  disk: {
    title: 'Disk nearly full',
    threshold: 1_024,
    unit: 'MB left',
    advice:
      'Free some space on the disk of the database: old backups, logs, other files. Searches go on by themselves as soon as there is room.',
    path: '/operator#storage',
    find({ diskFreeBytes, isLedgerWritable }, threshold) {
      if (diskFreeBytes === undefined || diskFreeBytes >= threshold * MEGABYTE) return undefined;
      const isFull = diskFreeBytes < MEGABYTE;
      const text = isFull ? 'the disk is full' : `the disk has ${formatBytes(diskFreeBytes)} left`;
      return { text, isBlocking: isFull && !isLedgerWritable };
    },
  },
  lanes: {
    title: 'Lanes down',
    threshold: 15,
    unit: 'minutes',
    advice: 'The provider does not answer, or refuses. Searches are answered from the index alone.',
    path: '/operator#lanes',
    find({ lanesDown, now }, threshold) {
      const long = lanesDown.filter(({ since }) => now - since >= threshold * MINUTE_MS);
      if (long.length === 0) return undefined;
      const names = long.map(({ name }) => name).join(', ');
      return {
        text: `${names} ${long.length === 1 ? 'is' : 'are'} down`,
        since: Math.min(...long.map(({ since }) => since)),
      };
    },
  },
  certificate: {
    title: 'Certificate that expires',
    threshold: 14,
    unit: 'days left',
    advice: 'Renew it, then send the server SIGHUP.',
    path: '/operator/alerts',
    find({ certificateEndsAt, now }, threshold) {
      if (certificateEndsAt === undefined) return undefined;
      const days = Math.floor((certificateEndsAt - now) / DAY_MS);
      if (days >= threshold) return undefined;
      const text =
        days < 0 ? 'the certificate has expired' : `the certificate ends in ${days} days`;
      return { text };
    },
  },
  backup: {
    title: 'Old backup',
    threshold: 48,
    unit: 'hours',
    advice:
      'Run verbatim backup FOLDER --keep 7 each night from a timer, and look at why the last run failed.',
    path: '/operator#storage',
    find({ lastBackupAt, uptimeSeconds, now }, threshold) {
      const hours = Math.floor((now - (lastBackupAt ?? now - uptimeSeconds * 1000)) / HOUR_MS);
      if (hours < threshold) return undefined;
      const isKnown = lastBackupAt !== undefined;
      return {
        text: isKnown
          ? `the last backup is ${hours} hours old`
          : 'no backup of the database is known',
      };
    },
  },
  disputes: {
    title: 'Disputed payment',
    threshold: 7,
    unit: 'days that it counts as new',
    isShared: true,
    advice: 'Answer it at Stripe before its deadline.',
    path: '/operator/money',
    find({ reviews: { disputes, disputedAt } = none }) {
      if (disputes === 0) return undefined;
      const text = `${disputes === 1 ? 'a payment is' : `${disputes} payments are`} disputed`;
      return { text, since: disputedAt };
    },
  },
  payments: {
    title: 'Payment to review',
    threshold: 7,
    unit: 'days that it counts as new',
    isShared: true,
    advice: 'The page Money says what is wrong with each payment.',
    path: '/operator/money',
    find({ reviews: { problems, problemAt } = none }) {
      if (problems === 0) return undefined;
      const what =
        problems === 1 ? 'an event of Stripe needs' : `${problems} events of Stripe need`;
      return { text: `${what} a look`, since: problemAt };
    },
  },
} satisfies Readonly<Record<string, AlertDescription>>;

const none: ReviewCounts = { disputes: 0, disputedAt: 0, problems: 0, problemAt: 0 };

export type AlertKind = keyof typeof table;
export const alertTable: Readonly<Record<AlertKind, AlertDescription>> = table;
export const alertKinds = Object.keys(alertTable) as AlertKind[];

/** What operators are alerted of, from when on. */
export type AlertChoices = Readonly<Record<AlertKind, Omit<AlertSetting, 'kind'>>>;

/** Returns what operators chose, with defaults where they did not. */
export function choicesOf(chosen: readonly AlertSetting[]): AlertChoices {
  const choice = (kind: AlertKind) =>
    chosen.find((one) => one.kind === kind) ?? {
      isOn: true,
      threshold: alertTable[kind].threshold ?? 0,
    };
  return Object.fromEntries(alertKinds.map((kind) => [kind, choice(kind)])) as AlertChoices;
}

export interface Condition extends Found {
  kind: AlertKind;
}

/** Returns what is wrong, the worst first, alerts of it on or off. */
export function conditionsOf(facts: Facts, choices: AlertChoices): Condition[] {
  return alertKinds.flatMap((kind) => {
    const found = alertTable[kind].find(facts, choices[kind].threshold);
    return found === undefined ? [] : [{ ...found, kind }];
  });
}
