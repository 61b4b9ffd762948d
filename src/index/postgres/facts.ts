/** The one row that tells what is true of the whole index. */

import { codeOf, type Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { ModelIdentity } from '../../types.ts';
import { fits, otherModel, recordOf } from '../index-facts.ts';
import { TABLES_VERSION } from './migrations/tables-version.ts';

/** How messages name the index, whose address has a password. */
export const INDEX_NAME = 'the index on PostgreSQL';

export interface IndexFacts {
  /** Another one in every index. */
  id: string;
  shards: number;
  vectorIndex: 'halfvec' | 'bit';
  /** JSON; null while nothing has been added. */
  model: string | null;
  revision: number;
  documents: number;
  sentences: number;
  /** Terms of titles and abstracts, with repetitions. */
  terms: number;
  /** The last numbers that were assigned. */
  lastDocument: number;
  lastRecord: number;
  /** The last document that the postings name. */
  indexedUpTo: number;
  /** Whether the documents are on several servers, and this one is their front. */
  isSpread: boolean;
  /** The version of the tables. */
  version: number;
}

export const FACTS_SQL = `
  SELECT id, shards, vector_index AS "vectorIndex", model, revision, documents, sentences, terms,
    last_document AS "lastDocument", last_record AS "lastRecord", indexed_up_to AS "indexedUpTo",
    to_regproc('run_on_servers') IS NOT NULL AS "isSpread",
    (SELECT max(number) FROM index_migrations) AS version
  FROM index_facts`;

export async function readFacts(queries: Queries): Promise<IndexFacts> {
  return onlyFacts(await queries.query<IndexFacts>(FACTS_SQL));
}

/** Reads the same, and lets other writers wait until the transaction ends: they take turns. */
export async function lockFacts(queries: Queries): Promise<IndexFacts> {
  return onlyFacts(await queries.query<IndexFacts>(`${FACTS_SQL} FOR UPDATE OF index_facts`));
}

function onlyFacts([facts]: readonly IndexFacts[]): IndexFacts {
  if (facts !== undefined) return facts;
  throw new VerbatimError('database_unusable', `${INDEX_NAME} has lost its row of facts`);
}

export function modelOf({ model }: IndexFacts): ModelIdentity | undefined {
  return model === null ? undefined : (JSON.parse(model) as ModelIdentity);
}

/** Returns a text that is another one after every change. Servers of one index compare it. */
export function revisionOf({ id, revision }: IndexFacts): string {
  return `${id}-${revision}`;
}

/** Returns a text that is another one after every change of the index, and in every index. */
export function stateOf({ id, revision, documents, model }: IndexFacts): string {
  return JSON.stringify([id, revision, documents, model]);
}

/**
 * Throws `migration_needed` or `database_unusable` for tables of another version of this program, and
 * `model_mismatch` if a model is given and the index has another one.
 */
export function assertUsableFacts(facts: IndexFacts, model?: ModelIdentity): void {
  if (facts.version < TABLES_VERSION) {
    throw new VerbatimError(
      'migration_needed',
      `an older version of verbatim made ${INDEX_NAME}; run: verbatim index add, or start a server`,
    );
  }
  if (facts.version > TABLES_VERSION) {
    throw new VerbatimError('database_unusable', `a newer version of verbatim made ${INDEX_NAME}`);
  }
  if (model !== undefined) assertFits(facts, model);
}

function assertFits(facts: IndexFacts, model: ModelIdentity): void {
  const recorded = modelOf(facts);
  if (recorded === undefined || fits(recorded, model)) return;
  throw otherModel(INDEX_NAME, { recorded, model });
}

/** Rejects with `database_unusable` if the documents are on several servers. */
export async function assertOneServer(queries: Queries): Promise<void> {
  if (!(await readFacts(queries)).isSpread) return;
  throw new VerbatimError(
    'database_unusable',
    `${INDEX_NAME} is on several servers, which can be searched and not changed or checked; use the index that it was loaded from`,
  );
}

const UNDEFINED_TABLE = '42P01';

/** Returns `database_unusable` if there are no tables yet, and otherwise the error. */
export function namingMissingTables(error: unknown): unknown {
  if (codeOf(error) !== UNDEFINED_TABLE) return error;
  return new VerbatimError(
    'database_unusable',
    `${INDEX_NAME} has no tables yet; run: verbatim index add FILE`,
    { cause: error },
  );
}

/**
 * Records the model of a new index and makes the index of its vectors. Rejects with `model_mismatch`
 * if another model is recorded.
 */
export async function claimModel(queries: Queries, model: ModelIdentity): Promise<void> {
  const facts = await lockFacts(queries);
  if (facts.model !== null) return assertFits(facts, model);
  const values = [recordOf(model)];
  await queries.query('UPDATE index_facts SET model = $1, revision = revision + 1', values);
  const size = Math.trunc(model.dimensions);
  const indexed =
    facts.vectorIndex === 'bit'
      ? `((binary_quantize(own)::bit(${size})) bit_hamming_ops)`
      : '(own halfvec_ip_ops)';
  await queries.query(`ALTER TABLE vectors ALTER own TYPE halfvec(${size})`);
  await queries.query(`CREATE INDEX vectors_by_distance ON vectors USING hnsw ${indexed}`);
}
