/** The schema of a database on PostgreSQL, as sorted lines that can be compared. */
import type { Queries } from '../../../src/database/postgres/postgres-database.ts';
import { withoutLayout } from './without-layout.ts';

/** What belongs to an extension is not ours. */
const OWN = (oid: string): string =>
  `NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = ${oid} AND deptype = 'e')`;

const CATALOG = `
WITH relations AS (
  SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND ${OWN('oid')})
SELECT format('relation %s: %s %s options %s part of %s by %s at %s grants %s', relname, relkind,
  relpersistence, reloptions, (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = oid),
  pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid), relacl) AS line
FROM relations
UNION ALL
SELECT format('column %s %s: %s %s NOT NULL %s DEFAULT %s IDENTITY %s COLLATE %s STORAGE %s grants %s', relname,
  row_number() OVER (PARTITION BY attrelid ORDER BY attnum), attname,
  format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity,
  attcollation::regcollation, attstorage, attacl)
FROM pg_attribute JOIN relations ON relations.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT format('index %s', pg_get_indexdef(indexrelid))
FROM pg_index JOIN relations ON relations.oid = indexrelid
UNION ALL
SELECT format('constraint %s %s: %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
FROM pg_constraint JOIN relations ON relations.oid = conrelid
UNION ALL
SELECT format('trigger %s %s', tgenabled, pg_get_triggerdef(pg_trigger.oid))
FROM pg_trigger JOIN relations ON relations.oid = tgrelid WHERE NOT tgisinternal
UNION ALL
SELECT format('view %s: %s', relname, pg_get_viewdef(oid)) FROM relations WHERE relkind = 'v'
UNION ALL
SELECT format('sequence %s: %s from %s by %s', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement)
FROM pg_sequence JOIN relations ON relations.oid = seqrelid
UNION ALL
SELECT format('function %s grants %s', pg_get_functiondef(oid), proacl)
FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND ${OWN('oid')}
UNION ALL
SELECT format('extension %s', extname) FROM pg_extension
UNION ALL
SELECT format('type %s %s', typtype, oid::regtype) FROM pg_type
WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e', 'r') AND ${OWN('oid')}`;

/** Relations, columns, indexes, constraints, triggers, views, functions, and grants, without layout. */
export async function postgresCatalog({ query }: Pick<Queries, 'query'>): Promise<string[]> {
  const rows = await query<{ line: string }>(CATALOG);
  return rows.map(({ line }) => withoutLayout(line)).sort();
}
