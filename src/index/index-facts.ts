/** The table `index_facts`: the model of the vectors, the totals, and the revision of the index. */

import type { Connection } from '../database/sqlite/connection.ts';
import { VerbatimError } from '../errors.ts';
import type { DocumentNumber, ModelIdentity } from '../types.ts';
import { unlessDamaged } from './unless-damaged.ts';

export interface IndexTotals {
  documents: number;
  sentences: number;
}

/** Returns the stored numbers of documents and sentences. */
export function readTotals(db: Connection): IndexTotals {
  return {
    documents: Number(readFact(db, 'documents')),
    sentences: Number(readFact(db, 'sentences')),
  };
}

/** Returns a function that reads the number of documents. */
export function prepareCountDocuments(db: Connection): () => number {
  const read = db.prepare("SELECT value FROM index_facts WHERE name = 'documents'").pluck();
  return () => Number(read.get());
}

/** The changes of the totals by a transaction of the index writer. */
export interface TotalsChange extends IndexTotals {
  /** Terms of titles and abstracts, with repetitions. */
  terms: number;
}

/**
 * Returns a function that adds to the totals and increments the revision. It is a step of every
 * transaction that changes the index.
 */
export function prepareReviseIndex(db: Connection): (change: TotalsChange) => void {
  const add = db.prepare('UPDATE index_facts SET value = value + ? WHERE name = ?');
  return (change) => {
    for (const [name, by] of Object.entries({ ...change, revision: 1 })) add.run(by, name);
  };
}

/** Returns a function that reads the revision. Anything cached at another revision is stale. */
export function readRevision(db: Connection): () => number {
  const read = db.prepare("SELECT value FROM index_facts WHERE name = 'revision'").pluck();
  return () => Number(read.get());
}

/**
 * Returns a function that reads a text that is another one after every change of the index, and
 * another one in every index. Two indexes may have the same revision; they were not started in the
 * same millisecond with the same totals.
 */
export function prepareReadIndexState(db: Connection): () => string {
  const read = db
    .prepare(
      `SELECT json_group_array(json_array(name, value)) ||
         ifnull((SELECT started_at FROM index_builds
                 WHERE number = (SELECT min(number) FROM index_builds)), '')
       FROM (SELECT name, value FROM index_facts ORDER BY name)`,
    )
    .pluck();
  return () => String(read.get());
}

/** Returns a function that reads the largest document number, 0 if there are no documents. */
export function prepareReadLastDocument(db: Connection): () => DocumentNumber {
  const read = db.prepare('SELECT coalesce(max(number), 0) FROM documents').pluck();
  // The forward index has the same numbers, in case that the last page of documents is damaged.
  const readEntry = 'SELECT coalesce(max(document), 0) FROM signals';
  return () =>
    (unlessDamaged(() => read.get()) ?? db.prepare(readEntry).pluck().get()) as DocumentNumber;
}

/** Returns the model of the index, undefined while nothing has been added. */
export function readModel(db: Connection): ModelIdentity | undefined {
  const text = readFact(db, 'model');
  return text === undefined ? undefined : (JSON.parse(String(text)) as ModelIdentity);
}

/** Records the model of a new index. Throws `model_mismatch` if one that does not fit is recorded. */
export function claimModel(db: Connection, model: ModelIdentity): void {
  db.prepare('INSERT INTO index_facts (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING').run(
    'model',
    recordOf(model),
  );
  assertModel(db, model);
}

/** Records another model than the one that an index had, with its folder. */
export function replaceModel(db: Connection, model: ModelIdentity): void {
  const record = JSON.stringify({ ...JSON.parse(recordOf(model)), folder: model.folder });
  db.prepare('REPLACE INTO index_facts (name, value) VALUES (?, ?)').run('model', record);
}

export function deleteFact(db: Connection, name: string): void {
  db.prepare('DELETE FROM index_facts WHERE name = ?').run(name);
}

/** What an index records of its model. `compatible` is recorded for writers that opened it before. */
export function recordOf({ name, dimensions, sha256, compatible }: ModelIdentity): string {
  return JSON.stringify({ name, dimensions, sha256, compatible });
}

/**
 * Throws `model_mismatch` if the index's model does not fit this one, or it is between two models (see
 * reembedding.ts). An empty index fits any.
 */
export function assertModel(db: Connection, model: ModelIdentity): void {
  const recorded = readModel(db);
  if (recorded !== undefined && readFact(db, 'reembedding') !== undefined) {
    throw new VerbatimError(
      'model_mismatch',
      `${db.name} is being moved to the model ${describe(recorded)}; finish it with: ` +
        'verbatim index reembed',
    );
  }
  if (recorded === undefined || fits(recorded, model)) return;
  throw otherModel(db.name, { recorded, model });
}

/** Returns a function that does the same, and reads nothing more while the recorded model stays. */
export function prepareAssertModel(db: Connection, model: ModelIdentity): () => void {
  const read = db.prepare("SELECT value FROM index_facts WHERE name = 'model'").pluck();
  let known: unknown;
  return () => {
    const now = read.get();
    if (now !== known) assertModel(db, model);
    known = now;
  };
}

/** Whether an index with the recorded model can be searched and extended with this one. */
export function fits(recorded: ModelIdentity, { sha256, compatible = [] }: ModelIdentity): boolean {
  return recorded.sha256 === sha256 || compatible.includes(recorded.sha256);
}

/** What to do about an index with a model of before: it works, and less well than it could. */
export const REEMBED_ADVICE =
  'more quotes answer after: verbatim index reembed, which runs beside a server';

/** Returns the recorded model if it is another one than this, and fits it. */
export function earlierModelOf(db: Connection, model: ModelIdentity): ModelIdentity | undefined {
  const recorded = readModel(db);
  if (recorded === undefined || recorded.sha256 === model.sha256) return undefined;
  return fits(recorded, model) ? recorded : undefined;
}

/** The error for an index that was built with another model than the one given. */
export function otherModel(
  index: string,
  { recorded, model }: { recorded: ModelIdentity; model: ModelIdentity },
): VerbatimError {
  return new VerbatimError(
    'model_mismatch',
    `${index} was built with the model ${describe(recorded)}, but the model given is ` +
      `${describe(model)}; ${adviceOn(recorded)}`,
  );
}

/**
 * Returns how to give a command or a server the model of an index. After `index reembed`, that is the new
 * model: nobody is told to move back.
 */
export function adviceOn({ folder }: Pick<ModelIdentity, 'folder'>): string {
  if (folder === undefined) {
    return "name the index's model with --model, or move the index to this one with: verbatim index reembed";
  }
  return folder === ''
    ? 'leave out --model, or unset VERBATIM_MODEL and restart the server'
    : `give --model ${folder}, or set VERBATIM_MODEL=${folder} and restart the server`;
}

/** Throws `no_documents` for an empty index, and `model_mismatch` for one between two models. */
export function assertPublishable(db: Connection): void {
  const model = readModel(db);
  if (model === undefined || readTotals(db).documents === 0) {
    throw new VerbatimError('no_documents', `the index in ${db.name} is empty`);
  }
  assertModel(db, model);
}

function describe(model: ModelIdentity): string {
  return `${model.name} (${model.dimensions} dimensions, sha256 ${model.sha256.slice(0, 12)})`;
}

export function readFact(db: Connection, name: string): unknown {
  return db.prepare('SELECT value FROM index_facts WHERE name = ?').pluck().get(name);
}
