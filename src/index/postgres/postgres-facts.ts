/** The one row that tells what is true of the whole index. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { ModelIdentity } from '../../types.ts';
import { fits, otherModel, recordOf } from '../index-facts.ts';
import { INDEX_NAME } from './index-name.ts';

export interface IndexFacts {
  shards: number;
  vectorIndex: 'halfvec' | 'bit';
  model: ModelIdentity | undefined;
  revision: number;
  documents: number;
  sentences: number;
  terms: number;
  lastDocument: number;
  lastRecord: number;
  indexedUpTo: number;
}

interface Row extends Omit<IndexFacts, 'model'> {
  model: string | null;
}

const READ = `
  SELECT shards, vector_index AS "vectorIndex", model, revision, documents, sentences, terms,
    last_document AS "lastDocument", last_record AS "lastRecord", indexed_up_to AS "indexedUpTo"
  FROM index_facts`;

export async function readFacts(queries: Queries): Promise<IndexFacts> {
  return factsOf(await queries.query<Row>(READ));
}

/** Reads the same, and lets other writers wait until the transaction ends: they take turns. */
export async function lockFacts(queries: Queries): Promise<IndexFacts> {
  return factsOf(await queries.query<Row>(`${READ} FOR UPDATE`));
}

function factsOf([row]: readonly Row[]): IndexFacts {
  if (row === undefined) {
    throw new VerbatimError('database_unusable', `${INDEX_NAME} has lost its row of facts`);
  }
  const { model, ...facts } = row;
  return { ...facts, model: model === null ? undefined : (JSON.parse(model) as ModelIdentity) };
}

/**
 * Records the model of a new index and makes the index of its vectors. Rejects with `model_mismatch`
 * if another model is recorded.
 */
export async function claimModel(queries: Queries, model: ModelIdentity): Promise<void> {
  const { model: recorded, vectorIndex } = await lockFacts(queries);
  if (recorded !== undefined) {
    if (fits(recorded, model)) return;
    throw otherModel(INDEX_NAME, { recorded, model });
  }
  const values = [recordOf(model)];
  await queries.query('UPDATE index_facts SET model = $1, revision = revision + 1', values);
  const size = Math.trunc(model.dimensions);
  const indexed =
    vectorIndex === 'bit'
      ? `((binary_quantize(own)::bit(${size})) bit_hamming_ops)`
      : '(own halfvec_ip_ops)';
  await queries.query(`ALTER TABLE vectors ALTER own TYPE halfvec(${size})`);
  await queries.query(`CREATE INDEX vectors_by_distance ON vectors USING hnsw ${indexed}`);
}
