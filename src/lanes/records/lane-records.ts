/**
 * What all processes, and a restarted one, must know about the providers of lanes: backoffs, leases,
 * and how often each was asked today. Times are in milliseconds since 1970.
 */
import { randomUUID } from 'node:crypto';
import { isBusy } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { createWriteLater } from '../../database/sqlite/write-later.ts';

export interface BackoffRecord {
  /** Why the provider is left alone, such as `rate_limited`. */
  reason: string;
  until: number;
  /** How many backoffs followed each other without a response between them. */
  consecutive: number;
}

/** None of these functions throws, rejects, or waits for a lock. */
export interface ProviderRecords {
  /** The last backoff of a subject, even if it is over. */
  backoffOf(subject: string): BackoffRecord | undefined;
  setBackoff(subject: string, backoff: BackoffRecord): void;
  clearBackoff(subject: string): void;
  /** How long another process still holds the lease of a provider. */
  leaseWaitMs(provider: string): number;
  /**
   * Acquires the lease of a provider, for `holdMs` if it is never released. Returns 0, or how long
   * to wait before the next attempt.
   */
  acquireLease(provider: string, holdMs: number): number | Promise<number>;
  /** Releases a lease. Another process may acquire it after the gap. */
  releaseLease(provider: string, gapMs: number): void;
  countRequest(provider: string): void;
  /** Requests of this day, in UTC. */
  requestsToday(provider: string): number;
}

/** Records in a file, which say at once whether a lease was acquired. */
export interface LocalRecords extends ProviderRecords {
  acquireLease(provider: string, holdMs: number): number;
}

export const DAY_MS = 86_400_000;
/** No lease lasts this long. A longer one was written before the clock was set back. */
const LEASE_MS_MAX = 3_600_000;

interface Access {
  db: Connection;
  retryMs: number;
  now: () => number;
  onFailure: (error: unknown) => void;
}

/**
 * `db`: a connection that does not wait for locks. `now`: in milliseconds since 1970. `onFailure`
 * receives why something could not be read or written.
 */
export function createLaneRecords(
  db: Connection,
  { laneCacheRetryMs: retryMs }: { laneCacheRetryMs: number },
  now: () => number,
  onFailure: (error: unknown) => void,
): LocalRecords & { close(): void } {
  const access = { db, retryMs, now, onFailure };
  const backoffs = createBackoffs(access);
  const counts = createCounts(access);
  return {
    ...backoffs,
    ...createLeases(access),
    ...counts,
    close() {
      backoffs.close();
      counts.close();
    },
  };
}

function createBackoffs(access: Access) {
  const { db, retryMs, onFailure } = access;
  const find = db.prepare(
    'SELECT reason, until, in_a_row AS consecutive FROM lane_pauses WHERE subject = ?',
  );
  const put = db.prepare(
    `INSERT INTO lane_pauses VALUES (?, ?, ?, ?)
     ON CONFLICT (subject) DO UPDATE
     SET reason = excluded.reason, until = excluded.until, in_a_row = excluded.in_a_row`,
  );
  const remove = db.prepare('DELETE FROM lane_pauses WHERE subject = ? AND until <= ?');
  /** Changes of this process that are not written yet. Undefined: cleared. */
  const pending = new Map<string, BackoffRecord | undefined>();
  const cleared = new Map<string, BackoffRecord>();
  const write = db.transaction(() => {
    for (const [subject, backoff] of pending) {
      if (backoff !== undefined)
        put.run(subject, backoff.reason, backoff.until, backoff.consecutive);
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
    onFailure,
  );
  const backoffOf = (subject: string): BackoffRecord | undefined => {
    if (pending.has(subject)) return pending.get(subject);
    return readOr(access, undefined, () => find.get(subject) as BackoffRecord | undefined);
  };
  return {
    backoffOf,
    setBackoff(subject: string, backoff: BackoffRecord) {
      pending.set(subject, backoff);
      later.flush();
    },
    clearBackoff(subject: string) {
      const backoff = backoffOf(subject);
      if (backoff === undefined) return;
      // Clear this one only, because another process may have started a new one.
      cleared.set(subject, backoff);
      pending.set(subject, undefined);
      later.flush();
    },
    close: () => later.close(),
  };
}

function createLeases(access: Access) {
  const { db, retryMs, now, onFailure } = access;
  const self = randomUUID();
  const find = db
    .prepare('SELECT next_at FROM lane_turns WHERE provider = ? AND taken_by <> ?')
    .pluck();
  const acquire = db.prepare(
    `INSERT INTO lane_turns VALUES (@provider, @nextAt, @self)
     ON CONFLICT (provider) DO UPDATE SET next_at = @nextAt, taken_by = @self
     WHERE taken_by = @self OR next_at NOT BETWEEN @now + 1 AND @now + @most`,
  );
  const release = db.prepare(
    'UPDATE lane_turns SET next_at = ? WHERE provider = ? AND taken_by = ?',
  );
  const leaseWaitMs = (provider: string): number => {
    const nextAt = readOr(access, 0, () => Number(find.get(provider, self) ?? 0));
    const waitMs = nextAt - now();
    return waitMs > 0 && waitMs <= LEASE_MS_MAX ? waitMs : 0;
  };
  return {
    leaseWaitMs,
    acquireLease(provider: string, holdMs: number): number {
      try {
        const time = now();
        const nextAt = time + Math.min(holdMs, LEASE_MS_MAX);
        const { changes } = acquire.run({ provider, nextAt, self, now: time, most: LEASE_MS_MAX });
        return changes === 1 ? 0 : Math.max(1, leaseWaitMs(provider));
      } catch (error) {
        // Without the lock, nobody knows who holds the lease. Without the table, nobody does.
        if (isBusy(error)) return retryMs;
        onFailure(error);
        return 0;
      }
    },
    releaseLease(provider: string, gapMs: number): void {
      // If this fails, the lease ends after its hold time.
      readOr(access, undefined, () => release.run(now() + gapMs, provider, self));
    },
  };
}

function createCounts(access: Access) {
  const { db, retryMs, now, onFailure } = access;
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
    onFailure,
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
      readOr(access, 0, () => Number(find.get(provider, today()) ?? 0)) + pendingToday(provider),
    close: () => later.close(),
  };
}

/** A damaged table must not make a search fail. */
function readOr<Result>({ onFailure }: Access, otherwise: Result, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    onFailure(error);
    return otherwise;
  }
}
