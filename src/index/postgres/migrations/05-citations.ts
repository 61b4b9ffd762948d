/** Step 5: which works papers cite, and who cites a work. It makes as many partitions as the index has. */
export const citations = `
ALTER TABLE source_records ADD COLUMN cited bytea;
CREATE TABLE citations (
  shard     smallint NOT NULL,
  key       bigint NOT NULL,
  work      text NOT NULL,
  documents bytea NOT NULL,
  PRIMARY KEY (key, shard)
) PARTITION BY LIST (shard);
DO $$ BEGIN
  FOR shard IN 0 .. (SELECT shards - 1 FROM index_facts) LOOP
    EXECUTE format('CREATE TABLE citations_%s PARTITION OF citations FOR VALUES IN (%s)', shard, shard);
  END LOOP;
END $$;
`;
