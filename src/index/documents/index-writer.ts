/**
 * Writes documents with their records, sentences, vectors and full text. Each call is one
 * transaction, so a reader, or a restart after a crash, finds a complete document or none.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { nameKeyOf, nameOf } from '../../identity/record-keys.ts';
import type { ModelIdentity, SourceDocument } from '../../types.ts';
import type { QuantizedUnit } from '../dense/embeddings.ts';
import { adviceOn, fits, readModel, readRevision } from '../index-facts.ts';
import type { IncomingRecord, Plan } from '../records/plan-change.ts';
import { createPlanner } from '../records/planner.ts';
import { createRecordTable } from '../records/records.ts';
import { removedWith } from '../records/removed-papers.ts';
import { newRecord } from '../records/stored-records.ts';
import {
  type IndexedChange,
  type IndexedDocument,
  isSameGroup,
  makeChange,
  type PlannedChange,
} from './make-change.ts';
import { prepareReadUnits } from './stored-units.ts';
import { prepareSteps } from './table-steps.ts';

export type IndexWriter = ReturnType<typeof createIndexWriter>;

/** Creates the writer of an index that has a model. It prepares its statements once. */
export function createIndexWriter(db: Connection) {
  const model = readModel(db);
  const dimensions = model?.dimensions ?? 0;
  const plan = createPlanner(db);
  const table = createRecordTable(db);
  const changes = watchChanges(db);
  const readUnits = prepareReadUnits(db, dimensions);
  let steps = prepareSteps(db, dimensions);
  const inTransaction = <Result>(work: () => Result, finish?: (done: Result) => void): Result => {
    try {
      const done = db
        .transaction(() => {
          changes.look();
          assertSameModel(db, model);
          const result = work();
          steps.flush();
          finish?.(result);
          return { result, revision: changes.revision() };
        })
        .immediate();
      changes.own(done.revision);
      return done.result;
    } catch (error) {
      // The rollback has undone what the steps have counted.
      steps = prepareSteps(db, dimensions);
      throw error;
    }
  };
  const isCurrent = ({ incoming, planned }: IndexedChange): boolean =>
    planned.epoch === changes.look() || isSameGroup(plan(incoming).before, planned.before);
  return {
    isKept: table.isKept,
    replacedBy: (record: KeptRecord): KeptRecord | undefined =>
      table
        .found(nameKeyOf(record))
        .map((stored) => stored.record)
        .find((stored) => nameOf(stored) === nameOf(record)),
    plan: (incoming: IncomingRecord): PlannedChange => {
      return { epoch: changes.look(), ...plan(incoming) };
    },
    unitsOf: ({ before }: Plan): Map<string, QuantizedUnit> =>
      readUnits(before.map(({ document }) => document)),
    /** As in `IndexBuilder`. `finish` gets the stale changes as the last step of the transaction. */
    apply: (
      all: readonly IndexedChange[],
      finish?: (stale: readonly IndexedChange[]) => void,
    ): IndexedChange[] =>
      inTransaction(() => {
        const stale = all.filter((change) => !isCurrent(change));
        for (const change of all) if (!stale.includes(change)) makeChange(steps, change);
        return stale;
      }, finish),
    /** Adds documents in one transaction, and replaces those with the same id. */
    write: (documents: readonly IndexedDocument[]): { added: number; updated: number } =>
      inTransaction(() => {
        const counts = { added: 0, updated: 0 };
        for (const { source, ...content } of documents) {
          const incoming = incomingRecordOf(source);
          const planned = { epoch: 0, ...plan(incoming) };
          const contents = new Map(planned.documents.map((one) => [one, content]));
          makeChange(steps, { planned, contents });
          if (planned.outcome === 'added') counts.added++;
          else counts.updated++;
        }
        return counts;
      }),
    /** Removes documents in one transaction, and keeps them out. Returns the ids that existed. */
    remove: (ids: readonly string[]): string[] =>
      inTransaction(() => ids.filter((id) => steps.removeNamed(id))),
    /** Lets the removed papers with these keys come back. Returns how many records each list found. */
    restore: (lists: readonly (readonly string[])[]): number[] =>
      inTransaction(() =>
        lists.map((keys) => {
          const left = removedWith(keys, table.gather(keys));
          left.forEach(steps.removeRecord);
          return left.length;
        }),
      ),
  };
}

/** Returns a document as the record of a source without a name. */
function incomingRecordOf(source: SourceDocument): Extract<IncomingRecord, { record: KeptRecord }> {
  const { id, title, abstract, year, authors, venue } = source;
  const record: KeptRecord = {
    id,
    title,
    abstract,
    year,
    authors,
    venue,
    source: '',
    part: 'record',
    identifiers: {},
    updatedAt: 0,
  };
  return newRecord(record, null);
}

/** `index reembed` may have moved the index to another model since a build has started. */
function assertSameModel(db: Connection, model: ModelIdentity | undefined): void {
  const now = readModel(db);
  if (model === undefined || (now !== undefined && fits(model, now))) return;
  throw new VerbatimError(
    'model_mismatch',
    `${db.name} was moved to another model meanwhile; ${adviceOn(now ?? {})}`,
  );
}

/** Notices when another connection has changed the index. */
function watchChanges(db: Connection) {
  const revision = readRevision(db);
  let known = revision();
  let epoch = 0;
  return {
    revision,
    /** Returns the number of changes seen so far. */
    look(): number {
      const now = revision();
      if (now !== known) epoch++;
      known = now;
      return epoch;
    },
    /** Notes a revision that this connection has made. */
    own(made: number): void {
      known = made;
    },
  };
}
