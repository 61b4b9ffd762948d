/**
 * What all nodes must know about the providers of lanes, on PostgreSQL: backoffs, leases, and how often
 * each was asked today. Callers read from memory, which is read anew with every lease that is acquired,
 * and in the background. So a provider with a lease is asked with what all nodes know at that moment.
 */
import { randomUUID } from 'node:crypto';
import type { Queries } from '../../../database/postgres/postgres-database.ts';
import type { BackoffRecord, ProviderRecords } from '../lane-records.ts';
import { DAY_MS } from '../lane-records.ts';
import { inOrder } from './in-order.ts';

export interface SharedRecords extends ProviderRecords {
  /** Writes what is left to write, and reads what other nodes have written. */
  refresh(): Promise<void>;
}

export interface SharedRecordsOptions {
  /** How long to wait before the next attempt at a lease if the database fails. */
  retryMs: number;
  /** In milliseconds since 1970. */
  now: () => number;
}

/** A change of a backoff that is not written yet. */
type Change = { set: BackoffRecord } | { clearedUntil: number };

interface Counted {
  day: number;
  requests: number;
}

interface State {
  node: string;
  backoffs: Map<string, BackoffRecord>;
  changes: Map<string, Change>;
  counts: Map<string, Counted>;
  newCounts: Map<string, Counted>;
  /** When leases of other nodes end (performance.now()). */
  leasedUntil: Map<string, number>;
  /** The number of each lease that this node acquired last. */
  turns: Map<string, string>;
}

/**
 * The longest that the answer to an attempt at a lease may take. Leases are longer than a request by at
 * least as much, so that no lease ends while a request is on its way.
 */
const ANSWER_MS_MAX = 1_000;

export function createSharedRecords(
  queries: Queries,
  { retryMs, now }: SharedRecordsOptions,
): SharedRecords {
  const state: State = {
    node: randomUUID(),
    backoffs: new Map(),
    changes: new Map(),
    counts: new Map(),
    newCounts: new Map(),
    leasedUntil: new Map(),
    turns: new Map(),
  };
  const next = inOrder();
  const today = (): number => Math.floor(now() / DAY_MS);
  const flush = (): void => {
    // What fails is written with the next refresh.
    next(() => writeAll(queries, state)).catch(() => {});
  };
  const backoffOf = (subject: string): BackoffRecord | undefined => {
    const change = state.changes.get(subject);
    if (change === undefined) return state.backoffs.get(subject);
    return 'set' in change ? change.set : undefined;
  };
  const requestsOf = (counts: State['counts'], provider: string): number => {
    const counted = counts.get(provider);
    return counted?.day === today() ? counted.requests : 0;
  };
  return {
    backoffOf,
    setBackoff(subject, backoff) {
      state.changes.set(subject, { set: backoff });
      flush();
    },
    clearBackoff(subject) {
      const backoff = backoffOf(subject);
      if (backoff === undefined) return;
      // Clear this one only, because another node may have started a new one.
      state.changes.set(subject, { clearedUntil: backoff.until });
      flush();
    },
    ...createLeases({ queries, state, next, retryMs, today }),
    countRequest(provider) {
      const requests = requestsOf(state.newCounts, provider) + 1;
      state.newCounts.set(provider, { day: today(), requests });
      flush();
    },
    requestsToday: (provider) =>
      requestsOf(state.counts, provider) + requestsOf(state.newCounts, provider),
    refresh: () =>
      next(async () => {
        await writeAll(queries, state);
        await readAll(queries, state, today());
      }),
  };
}

interface LeaseDeps extends Pick<SharedRecordsOptions, 'retryMs'> {
  queries: Queries;
  state: State;
  next: ReturnType<typeof inOrder>;
  /** Days since 1970. */
  today: () => number;
}

function createLeases({ queries, state, next, retryMs, today }: LeaseDeps) {
  return {
    leaseWaitMs: (provider: string) =>
      Math.max(0, (state.leasedUntil.get(provider) ?? 0) - performance.now()),
    acquireLease: (provider: string, holdMs: number) =>
      next(async () => {
        const askedAt = performance.now();
        const waitMs = await acquire(queries, state, provider, holdMs);
        if (waitMs > 0) return waitMs;
        await readAll(queries, state, today());
        // Too late to be sure of the lease. This node may acquire it again at once.
        return performance.now() - askedAt > ANSWER_MS_MAX ? 1 : 0;
      }).catch(() => retryMs),
    releaseLease(provider: string, gapMs: number) {
      const turn = state.turns.get(provider);
      if (turn === undefined) return;
      // First what the next node must know. If this fails, the lease ends after its hold time.
      next(async () => {
        await writeAll(queries, state);
        await queries.query(
          `UPDATE lane_turns SET next_at = clock_timestamp() + $2 * interval '1 ms' WHERE turn = $1`,
          [turn, gapMs],
        );
      }).catch(() => {});
    },
  };
}

/** Returns 0 if the lease was acquired, else how long to wait. */
async function acquire(
  { query }: Queries,
  { node, turns, leasedUntil }: State,
  provider: string,
  holdMs: number,
): Promise<number> {
  const turn = randomUUID();
  const [row] = await query<{ waitMs: number }>(
    'SELECT take_lane_turn($1, $2, $3, $4) AS "waitMs"',
    [provider, node, turn, holdMs],
  );
  const waitMs = row?.waitMs ?? 0;
  if (waitMs > 0) leasedUntil.set(provider, performance.now() + waitMs);
  else turns.set(provider, turn);
  return waitMs;
}

async function writeAll({ query }: Queries, state: State): Promise<void> {
  for (const [subject, change] of state.changes) {
    if ('set' in change) {
      const { reason, until, consecutive } = change.set;
      // Of two backoffs, the longer one holds.
      await query(
        `INSERT INTO lane_pauses AS p VALUES ($1, $2, $3, $4) ON CONFLICT (subject) DO UPDATE
           SET reason = excluded.reason, until = excluded.until, in_a_row = excluded.in_a_row
           WHERE excluded.until > p.until`,
        [subject, reason, until, consecutive],
      );
      state.backoffs.set(subject, change.set);
    } else {
      await query('DELETE FROM lane_pauses WHERE subject = $1 AND until <= $2', [
        ...[subject, change.clearedUntil],
      ]);
      state.backoffs.delete(subject);
    }
    // Another change may have come meanwhile.
    if (state.changes.get(subject) === change) state.changes.delete(subject);
  }
  for (const [provider, { day, requests }] of state.newCounts) {
    const [row] = await query<{ requests: number }>(
      `INSERT INTO lane_requests AS r VALUES ($1, $2, $3) ON CONFLICT (provider) DO UPDATE
         SET requests = CASE WHEN r.day = $2 THEN r.requests ELSE 0 END + $3, day = $2
       RETURNING requests`,
      [provider, day, requests],
    );
    const left = (state.newCounts.get(provider)?.requests ?? 0) - requests;
    if (left > 0) state.newCounts.set(provider, { day, requests: left });
    else state.newCounts.delete(provider);
    state.counts.set(provider, { day, requests: row?.requests ?? requests });
  }
}

interface Rows {
  pauses: ({ subject: string; in_a_row: number } & BackoffRecord)[] | null;
  requests: { provider: string; day: number; requests: number }[] | null;
  turns: { provider: string; waitMs: number }[] | null;
}

/** Reads one moment of all that nodes share. */
async function readAll({ query }: Queries, state: State, day: number): Promise<void> {
  const [row] = await query<Rows>(
    `SELECT (SELECT json_agg(p) FROM lane_pauses AS p) AS pauses,
       (SELECT json_agg(r) FROM lane_requests AS r WHERE day = $1) AS requests,
       (SELECT json_agg(json_build_object('provider', provider,
          'waitMs', extract(epoch FROM next_at - clock_timestamp()) * 1000))
        FROM lane_turns WHERE taken_by <> $2 AND next_at > clock_timestamp()) AS turns`,
    [day, state.node],
  );
  const readAt = performance.now();
  state.backoffs = new Map(
    (row?.pauses ?? []).map(({ subject, reason, until, in_a_row: consecutive }) => [
      ...([subject, { reason, until, consecutive }] as const),
    ]),
  );
  state.counts = new Map(
    (row?.requests ?? []).map(({ provider, ...counted }) => [provider, counted]),
  );
  state.leasedUntil = new Map(
    (row?.turns ?? []).map(({ provider, waitMs }) => [provider, readAt + waitMs]),
  );
}
