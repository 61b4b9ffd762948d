/**
 * Statements that run on each server of an index, over its own documents. `scripts/postgres-index` loads
 * such an index, and defines the function that asks the servers.
 */
import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Value } from '../../database/sql/sql.ts';

export interface ServersOptions {
  /** The state in which the view began. A server with another one makes the statement fail. */
  state: string;
  /** The settings of the view. */
  opening: string;
}

/**
 * Rows come from one server after the other, so a statement orders only what one of them finds. They are
 * JSON: bytes must be returned as text. Each parameter of a statement must be cast to its type.
 */
export function onServers({ query }: Queries, { state, opening }: ServersOptions): Queries {
  return {
    async query<Row>(text: string, values: readonly Value[] = []) {
      const rows = await query<{ found: Row }>(
        'SELECT found FROM run_on_servers($1, $2, $3, $4::text[]) AS found',
        [state, opening, text.replaceAll(/\$(\d+)/g, '$$1[$1]'), values.map(textOf)],
      );
      return rows.map(({ found }) => found);
    },
  };
}

/** A value as PostgreSQL reads it from text. */
function textOf(value: Value): string {
  return Array.isArray(value) ? `{${value.map(itemOf).join()}}` : String(value);
}

function itemOf(item: string | number): string {
  return typeof item === 'number' ? `${item}` : `"${item.replaceAll(/["\\]/g, '\\$&')}"`;
}
