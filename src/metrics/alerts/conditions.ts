/** What is wrong with a server, from what is known of it. Alerts and the page Now share this. Pure. */
import type { ReviewCounts } from '../../accounts/sql/alert-rows.ts';
import type { KnownDamage } from '../../database/damage/damage-register.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { type AlertChoice, type AlertKind, alertKinds } from './alert-kinds.ts';

export interface Facts {
  /** In milliseconds since 1970. */
  now: number;
  startedAt: number;
  isReady: boolean;
  isLedgerWritable: boolean;
  damage: readonly Pick<KnownDamage, 'part' | 'isBlocking' | 'noticedAt'>[];
  diskFreeBytes: number | undefined;
  /** Undefined: none is known. */
  lastBackupAt: number | undefined;
  certificateEndsAt: number | undefined;
  /** Lanes that are down, and since when. */
  lanesDown: readonly { name: string; since: number }[];
  /** Paid calls of the last 5 minutes that were answered or failed, and those that failed. */
  calls: number;
  callsFailed: number;
  /** Undefined: unknown, or there are no payments. */
  reviews: ReviewCounts | undefined;
}

export interface Condition {
  kind: AlertKind;
  /** A clause: "the disk has 12 MB left". */
  text: string;
  /** Since when, if the facts say so. */
  since?: number | undefined;
  /** What it is about. Another mark is news, though the condition is the same. */
  mark: string;
  /** Whether searches cannot be served with it. */
  isBlocking: boolean;
}

const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Returns what is wrong, the worst first. */
export function conditionsOf(
  facts: Facts,
  choices: Readonly<Record<AlertKind, AlertChoice>>,
): Condition[] {
  return alertKinds.flatMap((kind) => {
    const found = finders[kind](facts, choices[kind]);
    return found === undefined ? [] : [{ isBlocking: false, mark: 'raised', ...found, kind }];
  });
}

type Found = Pick<Condition, 'text'> & Partial<Condition>;

const finders: Readonly<
  Record<AlertKind, (facts: Facts, choice: AlertChoice) => Found | undefined>
> = {
  searches({ isReady, isLedgerWritable, calls, callsFailed }, { threshold, countMin }) {
    if (!isLedgerWritable) return { text: 'the accounts cannot be written', isBlocking: true };
    if (!isReady) return { text: 'the server is not ready', isBlocking: true };
    const isTooMany = callsFailed >= countMin && callsFailed * 100 >= threshold * calls;
    if (callsFailed === 0 || !isTooMany) return undefined;
    const text = `${callsFailed} of ${calls} calls in 5 minutes ended with an error of the server`;
    return { text, isBlocking: true };
  },
  damage({ damage }) {
    if (damage.length === 0) return undefined;
    const parts = damage.map(({ part }) => part);
    return {
      text: `the database file is damaged (${parts.join(', ')})`,
      since: Math.min(...damage.map(({ noticedAt }) => noticedAt)),
      mark: parts.toSorted().join(','),
      isBlocking: damage.some(({ isBlocking }) => isBlocking),
    };
  },
  disk({ diskFreeBytes, isLedgerWritable }, { threshold }) {
    if (diskFreeBytes === undefined || diskFreeBytes >= threshold * MEGABYTE) return undefined;
    const isFull = diskFreeBytes < MEGABYTE;
    const text = isFull ? 'the disk is full' : `the disk has ${formatBytes(diskFreeBytes)} left`;
    return { text, isBlocking: isFull && !isLedgerWritable };
  },
  lanes({ lanesDown, now }, { threshold }) {
    const long = lanesDown.filter(({ since }) => now - since >= threshold * MINUTE_MS);
    if (long.length === 0) return undefined;
    const names = long.map(({ name }) => name);
    return {
      text: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} down`,
      since: Math.min(...long.map(({ since }) => since)),
      mark: names.toSorted().join(','),
    };
  },
  certificate({ certificateEndsAt, now }, { threshold }) {
    if (certificateEndsAt === undefined) return undefined;
    const days = Math.floor((certificateEndsAt - now) / DAY_MS);
    if (days >= threshold) return undefined;
    return {
      text: days < 0 ? 'the certificate has expired' : `the certificate ends in ${days} days`,
    };
  },
  backup({ lastBackupAt, startedAt, now }, { threshold }) {
    const hours = Math.floor((now - (lastBackupAt ?? startedAt)) / HOUR_MS);
    if (hours < threshold) return undefined;
    const text =
      lastBackupAt === undefined
        ? 'no backup of the database is known'
        : `the last backup is ${hours} hours old`;
    return { text };
  },
  disputes({ reviews }) {
    if (reviews === undefined || reviews.disputes === 0) return undefined;
    const { disputes, disputedAt } = reviews;
    return {
      text: `${disputes === 1 ? 'a payment is' : `${disputes} payments are`} disputed`,
      mark: String(disputedAt),
    };
  },
  payments({ reviews }) {
    if (reviews === undefined || reviews.problems === 0) return undefined;
    const { problems, problemAt } = reviews;
    return {
      text: `${problems === 1 ? 'an event of Stripe needs' : `${problems} events of Stripe need`} a look`,
      mark: String(problemAt),
    };
  },
};
