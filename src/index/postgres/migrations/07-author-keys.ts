import type { Queries } from '../../../database/postgres/postgres-database.ts';
import { nameKeysOf } from '../../../identity/author-keys.ts';

/** Records in memory at a time. */
const RECORDS_PER_PAGE = 5_000;

const TABLES = `
CREATE TABLE author_keys (
  shard    smallint NOT NULL,
  key      bigint NOT NULL,
  document integer NOT NULL,
  PRIMARY KEY (key, document, shard)
) PARTITION BY LIST (shard);
DO $$ BEGIN
  FOR shard IN 0 .. (SELECT shards - 1 FROM index_facts) LOOP
    EXECUTE format('CREATE TABLE author_keys_%s PARTITION OF author_keys FOR VALUES IN (%s)', shard, shard);
  END LOOP;
END $$;
`;

interface NamesRow {
  number: number;
  shard: number;
  document: number;
  /** JSON. */
  names: string;
}

/** Step 7: the documents of each author. Older records have no ORCIDs. */
export async function authorKeys({ query }: Queries): Promise<void> {
  await query(TABLES);
  for (let last = 0; ; ) {
    const rows = await query<NamesRow>(
      `SELECT r.number, r.shard, r.document,
         coalesce((r.fields::json -> 'authors')::text, d.authors) AS names
       FROM source_records r JOIN documents d ON d.shard = r.shard AND d.number = r.document
       WHERE r.number > $1 AND r.part IS NULL ORDER BY r.number LIMIT ${RECORDS_PER_PAGE}`,
      [last],
    );
    if (rows.length === 0) return;
    const keys = rows.flatMap(({ shard, document, names }) =>
      nameKeysOf(JSON.parse(names)).map((key) => ({ shard, key, document })),
    );
    await query(
      `INSERT INTO author_keys SELECT * FROM json_populate_recordset(NULL::author_keys, $1::json)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(keys)],
    );
    last = (rows.at(-1) as NamesRow).number;
  }
}
