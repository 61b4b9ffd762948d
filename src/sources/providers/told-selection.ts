/** What a provider that can filter is told of a selection. The rest is selected when records are read. Pure. */
import { type Selection, typeName } from '../../ingest/selection/selection.ts';
import { LAST_YEAR, type SourceQuery } from '../ports/source.ts';

/** The first and the last day of publication; undefined: any. `since`: a later first day. */
export function publishedBetween(
  { from }: SourceQuery,
  { years }: Selection,
  since?: string,
): [first: string | undefined, last: string | undefined] {
  const { from: first = 0, to: last = LAST_YEAR } = years?.withUnknown ? {} : (years ?? {});
  const days = [from, since, first >= 1_000 ? `${first}-01-01` : undefined];
  return [
    days
      .filter((day) => day !== undefined)
      .sort()
      .at(-1),
    last < LAST_YEAR ? `${last}-12-31` : undefined,
  ];
}

/** The selected types as the provider calls them; none: all, or it does not have all of them. */
export function toldTypes(names: readonly string[], { types }: Selection): string[] {
  const told = names.filter((name) => types.includes(typeName(name)));
  return told.length === new Set(types).size ? told : [];
}
