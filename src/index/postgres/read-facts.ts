/** What is true of the whole index, as each view reads it first. */

import { codeOf } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { ModelIdentity } from '../../types.ts';
import { fits, otherModel } from '../index-facts.ts';
import { IS_SPREAD_SQL } from './assert-one-server.ts';
import { INDEX_NAME } from './index-name.ts';
import { TABLES_VERSION } from './migrations/tables-version.ts';

export interface Facts {
  /** Another one in every index. */
  id: string;
  revision: number;
  /** The model as JSON; null while nothing has been added. */
  model: string | null;
  vector_index: 'halfvec' | 'bit';
  documents: number;
  sentences: number;
  /** Terms of titles and abstracts, with repetitions. */
  terms: number;
  /** The last document that the postings name. */
  indexed_up_to: number;
  /** The last number that was assigned. */
  last_document: number;
  /** Whether the documents are on several servers, and this one is their front. */
  is_spread: boolean;
  /** The version of the tables. */
  version: number;
}

/** Selects the only row of facts. */
export const FACTS_SQL = `
  SELECT id, revision, model, vector_index, documents, sentences, terms, indexed_up_to, last_document,
    ${IS_SPREAD_SQL} AS is_spread,
    (SELECT max(number) FROM index_migrations) AS version
  FROM index_facts`;

/**
 * Throws `migration_needed` or `database_unusable` for tables of another version of this program, and
 * `model_mismatch` if a model is given and the index has another one.
 */
export function assertUsableFacts(facts: Facts, model?: ModelIdentity): void {
  if (facts.version < TABLES_VERSION) {
    throw new VerbatimError(
      'migration_needed',
      `an older version of verbatim made ${INDEX_NAME}; run: verbatim index add, or start a server`,
    );
  }
  if (facts.version > TABLES_VERSION) {
    throw new VerbatimError('database_unusable', `a newer version of verbatim made ${INDEX_NAME}`);
  }
  const recorded = model === undefined ? undefined : modelOf(facts);
  if (model === undefined || recorded === undefined || fits(recorded, model)) return;
  throw otherModel(INDEX_NAME, { recorded, model });
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

export function modelOf({ model }: Facts): ModelIdentity | undefined {
  return model === null ? undefined : (JSON.parse(model) as ModelIdentity);
}

/** Returns a text that is another one after every change. Servers of one index compare it. */
export function revisionOf({ id, revision }: Facts): string {
  return `${id}-${revision}`;
}

/** Returns a text that is another one after every change of the index, and in every index. */
export function stateOf({ id, revision, documents, model }: Facts): string {
  return JSON.stringify([id, revision, documents, model]);
}
