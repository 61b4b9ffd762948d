/**
 * The tables that a move of accounts takes along. Their columns come from the databases, so a new
 * column needs no change here, and tests compare the lists with the schema of both.
 */

/** Each after those that it refers to. */
export const movedTables = [
  ...['customers', 'api_keys', 'replaced_secrets', 'members', 'sign_in_links', 'sessions'],
  ...['second_factors', 'recovery_codes', 'client_grants', 'client_codes', 'client_tokens'],
  ...['ledger_entries', 'ledger_days', 'open_holds', 'requests', 'request_days'],
  ...['stored_answers', 'stored_answer_totals'],
  ...['usage', 'usage_days', 'latency_days', 'lane_days'],
  ...['payments', 'payment_events', 'refunds', 'payment_refunds', 'payment_disputes'],
  ...['billing_notices', 'automatic_top_ups', 'card_removals', 'buyers', 'operator_actions'],
  ...['operators', 'operator_recovery_codes', 'operator_sessions'],
  ...['outcome_days', 'kept_questions', 'ledger_audits', 'alert_settings', 'alert_states'],
] as const;

/** What stays on PostgreSQL, because it is about servers that run, or may be forgotten at any time. */
export const stayingTables: Readonly<Record<string, string>> = {
  migrations: 'is about the tables themselves',
  account_place: 'says where the accounts are',
  nodes: 'names servers that run',
  rates: 'fills up again within a minute',
  tries: 'fills up again within an hour',
  lane_answers: 'caches what providers answered',
  lane_pauses: 'ends by itself',
  lane_requests: 'counts one day',
  lane_turns: 'names servers that run',
};

/** Columns that only PostgreSQL has, each with the value that rows from an SQLite file get. */
export const columnsOfPostgres: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // No server has this id, so the first one that runs for a while releases the holds.
  open_holds: { node_id: '00000000-0000-0000-0000-000000000000' },
};

export interface Column {
  name: string;
  /** As the database calls it, in lower case. */
  type: string;
}

/** The columns of a table that both databases have. */
export interface MovedTable {
  name: string;
  columns: readonly string[];
  /** Columns that are true or false on PostgreSQL, and 1 or 0 in SQLite. */
  booleans: ReadonlySet<string>;
}

/** The types on PostgreSQL that hold what a column of SQLite holds. */
const matchingTypes: Readonly<Record<string, readonly string[]>> = {
  integer: ['bigint', 'integer', 'boolean'],
  text: ['text'],
  blob: ['bytea'],
  real: ['double precision'],
};

/**
 * Matches the columns of a table in both databases. Throws if one has a column that the other one has
 * not: its content would be lost.
 */
export function matchColumns(
  name: string,
  inFile: readonly Column[],
  onPostgres: readonly Column[],
): MovedTable {
  const types = new Map(onPostgres.map((column) => [column.name, column.type]));
  const extra = Object.keys(columnsOfPostgres[name] ?? {});
  for (const column of inFile) {
    const type = types.get(column.name) ?? 'missing';
    if (matchingTypes[column.type]?.includes(type) !== true) {
      throw new Error(
        `${name}.${column.name} is ${column.type} in SQLite, and ${type} on PostgreSQL`,
      );
    }
  }
  const columns = inFile.map((column) => column.name);
  const more = [...types.keys()].filter((one) => !columns.includes(one) && !extra.includes(one));
  if (columns.length === 0 || more.length > 0) {
    throw new Error(`${name}: the columns differ (${more.join(', ') || 'no table in SQLite'})`);
  }
  const booleans = new Set(columns.filter((column) => types.get(column) === 'boolean'));
  return { name, columns, booleans };
}
