/**
 * What must be known of the lanes' providers by all processes, and after a restart: pauses, turns,
 * and how often each was asked today. Times in milliseconds since 1970.
 */
import { randomUUID } from 'node:crypto';
import type { Connection } from '../database/connection.ts';
import { isBusy } from '../database/open.ts';
import { createWriteLater } from '../database/write-later.ts';

export interface Backoff {
  reason: string;
  until: number;
  inARow: number;
}

export interface ProviderRecords {
  /** The last pause of a subject, also where it is over. */
  pauseOf(subject: string): Backoff | undefined;
  setPause(subject: string, pause: Backoff): void;
  clearPause(subject: string): void;
  /** How long the turn of another process at a provider lasts. */
  turnWaitMs(provider: string): number;
  /** Takes a provider's turn: 0, or how long to wait before trying again. */
  takeTurn(provider: string, holdMs: number): number;
  endTurn(provider: string, gapMs: number): void;
  countRequest(provider: string): void;
  requestsToday(provider: string): number;
  close(): void;
}

const DAY_MS = 86_400_000;
/** No turn lasts as long as this: who finds such a one has a clock that was set back. */
const LEASE_MS_MAX = 3_600_000;

/** On a connection that waits for no lock. */
export function createLaneRecords(
  db: Connection,
  { laneCacheRetryMs }: { laneCacheRetryMs: number },
  now: () => number,
): ProviderRecords {
  const pauses = createBackoffs(db, laneCacheRetryMs);
  const counts = createCounts(db, laneCacheRetryMs, now);
  return {
    ...pauses,
    ...createLeases(db, laneCacheRetryMs, now),
    ...counts,
    close() {
      pauses.close();
      counts.close();
    },
  };
}

function createBackoffs(db: Connection, retryMs: number) {
  const find = db.prepare(
    'SELECT reason, until, in_a_row AS inARow FROM lane_pauses WHERE subject = ?',
  );
  const put = db.prepare(
    `INSERT INTO lane_pauses VALUES (?, ?, ?, ?)
     ON CONFLICT (subject) DO UPDATE
     SET reason = excluded.reason, until = excluded.until, in_a_row = excluded.in_a_row`,
  );
  const remove = db.prepare('DELETE FROM lane_pauses WHERE subject = ? AND until <= ?');
  /** What this process has changed and not written yet; undefined: cleared. */
  const pending = new Map<string, Backoff | undefined>();
  const cleared = new Map<string, Backoff>();
  const write = db.transaction(() => {
    for (const [subject, pause] of pending) {
      if (pause !== undefined) put.run(subject, pause.reason, pause.until, pause.inARow);
      else remove.run(subject, cleared.get(subject)?.until ?? 0);
    }
  }).immediate;
  const later = createWriteLater(
    {
      isEmpty: () => pending.size === 0,
      write,
      clear() {
        pending.clear();
        cleared.clear();
      },
    },
    retryMs,
  );
  const pauseOf = (subject: string): Backoff | undefined => {
    if (pending.has(subject)) return pending.get(subject);
    return readOr(undefined, () => find.get(subject) as Backoff | undefined);
  };
  return {
    pauseOf,
    setPause(subject: string, pause: Backoff) {
      pending.set(subject, pause);
      later.flush();
    },
    clearPause(subject: string) {
      const pause = pauseOf(subject);
      if (pause === undefined) return;
      // Only this one: another process may have been asked for a new pause.
      cleared.set(subject, pause);
      pending.set(subject, undefined);
      later.flush();
    },
    close: () => later.close(),
  };
}

function createLeases(db: Connection, retryMs: number, now: () => number) {
  const self = randomUUID();
  const find = db
    .prepare('SELECT next_at FROM lane_turns WHERE provider = ? AND taken_by <> ?')
    .pluck();
  const take = db.prepare(
    `INSERT INTO lane_turns VALUES (@provider, @nextAt, @self)
     ON CONFLICT (provider) DO UPDATE SET next_at = @nextAt, taken_by = @self
     WHERE taken_by = @self OR next_at NOT BETWEEN @now + 1 AND @now + @most`,
  );
  const end = db.prepare('UPDATE lane_turns SET next_at = ? WHERE provider = ? AND taken_by = ?');
  const turnWaitMs = (provider: string): number => {
    const nextAt = readOr(0, () => Number(find.get(provider, self) ?? 0));
    const waitMs = nextAt - now();
    return waitMs > 0 && waitMs <= LEASE_MS_MAX ? waitMs : 0;
  };
  return {
    turnWaitMs,
    takeTurn(provider: string, holdMs: number): number {
      try {
        const time = now();
        const nextAt = time + Math.min(holdMs, LEASE_MS_MAX);
        const { changes } = take.run({ provider, nextAt, self, now: time, most: LEASE_MS_MAX });
        return changes === 1 ? 0 : Math.max(1, turnWaitMs(provider));
      } catch (error) {
        // Without the lock nobody knows whose turn it is; without the table there are no others.
        return isBusy(error) ? retryMs : 0;
      }
    },
    endTurn(provider: string, gapMs: number): void {
      // Where it cannot be written now, the turn lasts as long as it was taken for.
      readOr(undefined, () => end.run(now() + gapMs, provider, self));
    },
  };
}

function createCounts(db: Connection, retryMs: number, now: () => number) {
  const find = db
    .prepare('SELECT requests FROM lane_requests WHERE provider = ? AND day = ?')
    .pluck();
  const add = db.prepare(
    `INSERT INTO lane_requests VALUES (@provider, @day, @requests)
     ON CONFLICT (provider) DO UPDATE
     SET requests = iif(day = @day, requests, 0) + @requests, day = @day`,
  );
  const pending = new Map<string, { provider: string; day: number; requests: number }>();
  const today = (): number => Math.floor(now() / DAY_MS);
  const write = db.transaction(() => {
    for (const counted of pending.values()) add.run(counted);
  }).immediate;
  const later = createWriteLater(
    { isEmpty: () => pending.size === 0, write, clear: () => pending.clear() },
    retryMs,
  );
  const pendingToday = (provider: string): number => {
    const counted = pending.get(provider);
    return counted?.day === today() ? counted.requests : 0;
  };
  return {
    countRequest(provider: string) {
      const requests = pendingToday(provider) + 1;
      pending.set(provider, { provider, day: today(), requests });
      later.flush();
    },
    requestsToday: (provider: string): number =>
      readOr(0, () => Number(find.get(provider, today()) ?? 0)) + pendingToday(provider),
    close: () => later.close(),
  };
}

/** A damaged table is no reason to fail a search. */
function readOr<Result>(otherwise: Result, read: () => Result): Result {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
