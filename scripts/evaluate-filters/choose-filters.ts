/** Chooses filters that keep given shares of an index, by its own years and venues. */
import type { Connection } from '../../src/database/sqlite/connection.ts';
import type { SearchFilter } from '../../src/types.ts';

/** The shares that filters shall keep. */
const SHARES = [0.5, 0.05, 0.005];

/**
 * Returns filters by years and by venues. Years have little to do with what a paper is about; a few
 * venues are about a few things, so that their papers lie close together and may be far from the query.
 */
export function chooseFilters(db: Connection): { name: string; filter: SearchFilter }[] {
  const all = Number(db.prepare('SELECT count(*) FROM documents').pluck().get());
  return SHARES.flatMap((share) => {
    const wanted = share * all;
    const percent = `${100 * share} %`;
    const filters = [
      { name: `${percent}, years`, filter: yearsWith(db, wanted) },
      { name: `${percent}, venues`, filter: venuesWith(db, wanted) },
    ];
    return filters.flatMap(({ name, filter }) => (filter === undefined ? [] : [{ name, filter }]));
  });
}

/** The latest years with at least as many papers; undefined if that is far more. */
function yearsWith(db: Connection, wanted: number): SearchFilter | undefined {
  const counts = db
    .prepare('SELECT year, count(*) FROM documents WHERE year > 0 GROUP BY year ORDER BY year DESC')
    .raw()
    .all() as [year: number, papers: number][];
  let papers = 0;
  for (const [from, more] of counts) {
    papers += more;
    if (papers > 2 * wanted) return undefined;
    if (papers >= wanted) return { years: { from, to: 9999 } };
  }
  return undefined;
}

/** Venues of medium size until there are as many papers. */
function venuesWith(db: Connection, wanted: number): SearchFilter | undefined {
  const counts = db
    .prepare(
      `SELECT venue, count(*) AS papers FROM documents WHERE venue <> ''
       GROUP BY venue HAVING papers <= ? ORDER BY papers DESC, venue LIMIT 50`,
    )
    .raw()
    .all(wanted) as [venue: string, papers: number][];
  const venues: string[] = [];
  let papers = 0;
  for (const [venue, more] of counts) {
    if (papers + more > 1.2 * wanted) continue;
    venues.push(venue);
    papers += more;
    if (papers >= 0.9 * wanted) return { venues };
  }
  return undefined;
}
