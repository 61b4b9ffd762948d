/** A database that notes how long each statement takes, with its way to the server and back. */
import type { Database, Queries, Value } from '../../src/database/postgres/postgres-database.ts';

/** The beginning of a statement is enough to tell it from the others. */
const NAME_CHARACTERS = 60;

export interface CountedDatabase {
  database: Database;
  /** The milliseconds of each statement since the last `reset`, by the beginning of its text. */
  times: ReadonlyMap<string, readonly number[]>;
  reset(): void;
}

export function countStatements(database: Database): CountedDatabase {
  const times = new Map<string, number[]>();
  const note = (name: string, started: number): void => {
    const known = times.get(name) ?? [];
    known.push(performance.now() - started);
    times.set(name, known);
  };
  return {
    times,
    reset: () => times.clear(),
    database: {
      ...database,
      view(opening, work) {
        const started = performance.now();
        return database.view(opening, (queries, rows) => {
          note('the beginning of the view, with the facts', started);
          return work(counted(queries, note), rows);
        });
      },
    },
  };
}

/** What several servers run is a value of the statement that calls them. */
function nameOf(text: string, values: readonly Value[] = []): string {
  const shown = text.includes('run_on_servers') ? `on each server: ${values[2]}` : text;
  return shown.trim().replace(/\s+/g, ' ').slice(0, NAME_CHARACTERS);
}

function counted({ query }: Queries, note: (name: string, started: number) => void): Queries {
  return {
    async query(text, values) {
      const started = performance.now();
      try {
        return await query(text, values);
      } finally {
        note(nameOf(text, values), started);
      }
    },
  };
}
