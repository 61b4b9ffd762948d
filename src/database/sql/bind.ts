/** Makes the methods of a store of a table of SQL work. */
import type { Sql } from './sql.ts';

/** Makes SQL work of an input. */
type MakeWork = (...input: never[]) => Sql<unknown>;

/** The methods that run the work of a table. */
export type Bound<Table> = {
  [Name in keyof Table]: Table[Name] extends (...input: infer Input) => Sql<infer Result>
    ? (...input: Input) => Promise<Result>
    : never;
};

/**
 * Returns a method for each function of a table. `run` runs the work that `makeWork` makes of the input, or
 * sends name and input to a thread that does.
 */
export function bind<Table extends Record<string, MakeWork>>(
  table: Table,
  run: (makeWork: () => Sql<unknown>, name: keyof Table, input: unknown) => Promise<unknown>,
): Bound<Table> {
  const methods = Object.entries(table).map(([name, makeWork]) => [
    name,
    (...input: never[]) => run(() => makeWork(...input), name, input[0]),
  ]);
  return Object.fromEntries(methods) as Bound<Table>;
}
