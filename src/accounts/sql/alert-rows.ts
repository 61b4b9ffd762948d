/** What operators are alerted of, what they were told, and what of payments needs a look. */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';

export interface AlertSetting {
  kind: string;
  isOn: boolean;
  threshold: number;
  countMin: number;
}

/** What was noticed of one kind at one server, and what operators were told of it. */
export interface AlertState {
  kind: string;
  /** '': all servers together. */
  server: string;
  /** Since when; null: it is over. */
  raisedAt: number | null;
  /** The mark of what the last message was about; null: none was sent, or that it is over. */
  told: string | null;
  /** The time of which the last message was delivered that it was raised; null: none was. */
  toldAt: number | null;
  /** When a server last took it upon itself to send a message; 0: never. */
  triedAt: number;
  /** Attempts without success since. */
  attempts: number;
}

/** Lists the kinds for which operators chose something. */
export function* listAlertSettings(): Sql<AlertSetting[]> {
  return yield* query<AlertSetting>(
    `SELECT kind, is_on AS "isOn", threshold, count_min AS "countMin" FROM alert_settings`,
  );
}

/** Sets what operators are alerted of. May be repeated. */
export function* setAlerts({ settings }: { settings: readonly AlertSetting[] }): Sql<void> {
  for (const { kind, isOn, threshold, countMin } of settings) {
    yield* query(
      `INSERT INTO alert_settings (kind, is_on, threshold, count_min) VALUES ($1, $2, $3, $4)
       ON CONFLICT (kind) DO UPDATE SET is_on = excluded.is_on, threshold = excluded.threshold,
         count_min = excluded.count_min`,
      [kind, isOn, threshold, countMin],
    );
  }
}

/** Lists the states of a server, and those of all servers together. */
export function* listAlertStates({ server }: { server: string }): Sql<AlertState[]> {
  return yield* query<AlertState>(
    `SELECT kind, server, raised_at AS "raisedAt", told, told_at AS "toldAt",
       tried_at AS "triedAt", attempts
     FROM alert_states WHERE server IN ($1, '')`,
    [server],
  );
}

/**
 * Stores a state. Returns false, and changes nothing, if another server took a message upon itself since
 * `before`; null: whatever others did.
 */
export function* saveAlertState({
  state,
  before,
}: {
  state: AlertState;
  before: number | null;
}): Sql<boolean> {
  const { kind, server, raisedAt, told, toldAt, triedAt, attempts } = state;
  const saved = yield* query(
    `INSERT INTO alert_states AS old (kind, server, raised_at, told, told_at, tried_at, attempts)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (kind, server) DO UPDATE SET raised_at = excluded.raised_at, told = excluded.told,
       told_at = excluded.told_at, tried_at = excluded.tried_at, attempts = excluded.attempts
     WHERE CAST($8 AS bigint) IS NULL OR old.tried_at = $8
     RETURNING kind`,
    [kind, server, raisedAt, told, toldAt, triedAt, attempts, before],
  );
  return saved.length > 0;
}

export interface ReviewCounts {
  /** Disputes in which the payer has the money back, or may get it. */
  disputes: number;
  /** When the latest of them changed; 0 without. */
  disputedAt: number;
  /** Events of payments with a problem. */
  problems: number;
  /** When the latest of them arrived; 0 without. */
  problemAt: number;
}

/** Counts what of payments needs a look, each since its time. */
export function* countReviews({
  disputesSince,
  problemsSince,
}: {
  disputesSince: number;
  problemsSince: number;
}): Sql<ReviewCounts> {
  const disputes = yield* queryFirst<{ count: number; last: number }>(
    `SELECT count(*) AS count, coalesce(max(changed_at), 0) AS last FROM payment_disputes
     WHERE changed_at >= $1 AND takes_back`,
    [disputesSince],
  );
  const problems = yield* queryFirst<{ count: number; last: number }>(
    `SELECT count(*) AS count, coalesce(max(received_at), 0) AS last FROM payment_events
     WHERE received_at >= $1 AND problem IS NOT NULL`,
    [problemsSince],
  );
  return {
    disputes: disputes?.count ?? 0,
    disputedAt: disputes?.last ?? 0,
    problems: problems?.count ?? 0,
    problemAt: problems?.last ?? 0,
  };
}
