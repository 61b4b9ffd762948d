/** What is true of the whole index, as each view reads it first. */
import type { ModelIdentity } from '../../../types.ts';

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
}

/** Selects the only row of facts. */
export const FACTS_SQL =
  'SELECT id, revision, model, vector_index, documents, sentences, terms, indexed_up_to FROM index_facts';

export function modelOf({ model }: Facts): ModelIdentity | undefined {
  return model === null ? undefined : (JSON.parse(model) as ModelIdentity);
}

/** Returns a text that is another one after every change of the index, and in every index. */
export function stateOf({ id, revision, documents, model }: Facts): string {
  return JSON.stringify([id, revision, documents, model]);
}
