/** The tables of a new index: those of the schema, with as many partitions as the index has shards. */
import { readSchema } from '../../../database/schema/read-schema.ts';

/** The tables that are partitioned, with the storage parameters of their partitions. */
const partitioned: Readonly<Record<string, string>> = {
  documents: '',
  // An entry fits on a page, and reading it there takes one look-up less.
  forward_index: 'WITH (toast_tuple_target = 8160)',
  vectors: '',
  postings: 'WITH (fillfactor = 80)',
  recent_terms: '',
  title_keys: '',
  document_facets: '',
  author_keys: '',
  source_records: '',
  record_keys: '',
  withheld_documents: '',
  citations: '',
};

export interface TablesOptions {
  /** The number of partitions. It stays what it is. */
  shards: number;
  /** What the index of vectors compares: components of 16 bits, or of one bit. */
  vectorIndex: 'halfvec' | 'bit';
}

export function tables({ shards, vectorIndex }: TablesOptions): string {
  return `${readSchema('postgres', ['index'])}
INSERT INTO index_facts (shards, vector_index) VALUES (${shards}, '${vectorIndex}');
${Object.entries(partitioned)
  .flatMap(([table, parameters]) =>
    Array.from(
      { length: shards },
      (_, shard) =>
        `CREATE TABLE ${table}_${shard} PARTITION OF ${table} FOR VALUES IN (${shard}) ${parameters};`,
    ),
  )
  .join('\n')}`;
}
