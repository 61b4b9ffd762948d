/** What operators are alerted of, what they were told, and what of payments needs a look. */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';

export interface AlertSetting {
  kind: string;
  isOn: boolean;
  /** In the unit of its kind; 0 if it has none. */
  threshold: number;
}

/** What operators were told of one kind on one channel. */
export interface AlertState {
  kind: string;
  /** Of which server; '': of all together. */
  server: string;
  channel: string;
  /** Whether the last message was that it began. */
  isRaised: boolean;
  /** Since when it was, in the last of these messages that was delivered; 0: none was. */
  told: number;
  /** When a server last took it upon itself to send a message; 0: never. */
  triedAt: number;
}

/** Lists the kinds for which operators chose something. */
export function* listAlertSettings(): Sql<AlertSetting[]> {
  return yield* query<AlertSetting>('SELECT kind, is_on AS "isOn", threshold FROM alert_settings');
}

/** Sets what operators are alerted of. May be repeated. */
export function* setAlerts({ settings }: { settings: readonly AlertSetting[] }): Sql<void> {
  for (const { kind, isOn, threshold } of settings) {
    yield* query(
      `INSERT INTO alert_settings (kind, is_on, threshold) VALUES ($1, $2, $3)
       ON CONFLICT (kind) DO UPDATE SET is_on = excluded.is_on, threshold = excluded.threshold`,
      [kind, isOn, threshold],
    );
  }
}

/** Lists the states of a server, and those of all servers together. */
export function* listAlertStates({ server }: { server: string }): Sql<AlertState[]> {
  return yield* query<AlertState>(
    `SELECT kind, server, channel, is_raised AS "isRaised", told, tried_at AS "triedAt"
     FROM alert_states WHERE server IN ($1, '')`,
    [server],
  );
}

/** Stores a state. Returns false, and changes nothing, if a message was tried after `triedMax`. */
export function* saveAlertState({
  state: { kind, server, channel, isRaised, told, triedAt },
  triedMax,
}: {
  state: AlertState;
  triedMax: number;
}): Sql<boolean> {
  const saved = yield* query(
    `INSERT INTO alert_states AS old (kind, server, channel, is_raised, told, tried_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (kind, server, channel) DO UPDATE SET is_raised = excluded.is_raised,
       told = excluded.told, tried_at = excluded.tried_at
     WHERE old.tried_at <= $7 RETURNING kind`,
    [kind, server, channel, isRaised, told, triedAt, triedMax],
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

const disputed = 'FROM payment_disputes WHERE changed_at >= $1 AND takes_back';
const wrong = 'FROM payment_events WHERE received_at >= $2 AND problem IS NOT NULL';

/** Counts what of payments needs a look, each since its time. */
export function* countReviews(input: {
  disputesSince: number;
  problemsSince: number;
}): Sql<ReviewCounts> {
  const counts = yield* queryFirst<ReviewCounts>(
    `SELECT (SELECT count(*) ${disputed}) AS disputes,
       (SELECT coalesce(max(changed_at), 0) ${disputed}) AS "disputedAt",
       (SELECT count(*) ${wrong}) AS problems,
       (SELECT coalesce(max(received_at), 0) ${wrong}) AS "problemAt"`,
    [input.disputesSince, input.problemsSince],
  );
  return counts as ReviewCounts;
}
