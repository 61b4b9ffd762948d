/** Settings of an index on PostgreSQL, which several servers share. */
import { limit, type SettingsPart } from './setting.ts';

export const sharedIndexSettings = {
  indexAddress: {
    kind: 'text',
    variable: 'VERBATIM_INDEX',
    value: '',
    secret: true,
    help: 'where the index is, as `postgres://USER:PASSWORD@HOST/DATABASE` (PostgreSQL 15 or later with pgvector 0.8 or later; `?sslmode=verify-full` for TLS); empty: in the SQLite file',
  },
  indexShards: {
    kind: 'integer',
    value: 1,
    unit: 'partitions',
    max: 256,
    help: 'partitions of each table that grows with the documents; it counts only when the tables are made',
  },
  indexVectors: {
    kind: 'choice',
    value: 'halfvec',
    choices: ['halfvec', 'bit'],
    help: 'what the vector index compares: components of 16 bits, or single bits, which take a quarter of the memory and whose matches are put in order by the vectors; it counts only when the tables are made',
  },
  hnswSearched: {
    kind: 'integer',
    value: 150,
    unit: 'vectors',
    max: 1_000,
    help: 'vectors that a search of the vector index keeps in mind (`hnsw.ef_search`); more find better and take longer',
  },
  indexConnectionsMax: {
    kind: 'integer',
    value: 4,
    unit: 'connections',
    help: 'connections to PostgreSQL of each thread that reads the index: searches of a batch run side by side',
  },
  indexConnectTimeoutMs: limit(5_000, 'ms', 'how long a search waits for a connection'),
  indexStatementTimeoutMs: {
    kind: 'integer',
    value: 5_000,
    unit: 'ms',
    help: 'the longest that a statement of a search may take',
  },
  indexBuildStatementTimeoutMs: limit(
    600_000,
    'ms',
    'the longest that a statement of `index add` or another command may take, with its wait for another build',
  ),
  indexFactsKeptMs: limit(
    1_000,
    'ms',
    'how long a server uses the totals and the version that it has read of an index on PostgreSQL; a search always reads the newest state',
  ),
} as const satisfies SettingsPart;
