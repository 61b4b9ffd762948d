/**
 * Moves an index to another model in short transactions, so that an interrupted move goes on where it was,
 * while others search the index and change it. If the new model fits the index, the index may hold vectors
 * of both: they take the place of the old ones one by one, and the fact `refreshing` says how far the move
 * has come. Otherwise they are written beside the old ones (next-vectors.ts) until they change over.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber, ModelIdentity } from '../../types.ts';
import { createInvertedListWriter } from '../dense/inverted-lists.ts';
import {
  deleteFact,
  fits,
  prepareReviseIndex,
  readFact,
  readModel,
  replaceModel,
} from '../index-facts.ts';
import { createNextVectors, removeLeftVectors, removeNextVectors } from './next-vectors.ts';
import {
  prepareDocumentsAfter,
  prepareIsThere,
  preparePut,
  type Reembedding,
} from './reembedded-documents.ts';

/**
 * Starts to move the index to a model, or goes on with it. A move to a third model starts again.
 * Returns undefined if the index has the model already; a move to another one is then given up. What an
 * interrupted one has left of the old vectors is removed.
 */
export function openReembedding(db: Connection, model: ModelIdentity): Reembedding | undefined {
  removeLeftVectors(db);
  const recorded = readModel(db);
  // A version before left the index between two models.
  const isBetween = readFact(db, 'reembedding') !== undefined;
  if (recorded?.sha256 === model.sha256 && !isBetween) {
    removeNextVectors(db);
    return undefined;
  }
  if (recorded !== undefined && fits(recorded, model) && !isBetween) return refreshing(db, model);
  return createNextVectors(db, model);
}

/** The value of the fact has the model, because a move to a third model starts again. */
function refreshing(db: Connection, model: ModelIdentity): Reembedding {
  const of = `${model.sha256} `;
  const set = prepareSet(db, 'refreshing');
  return createReembedding(db, model.dimensions, {
    last() {
      const text = String(readFact(db, 'refreshing') ?? '');
      return text.startsWith(of) ? Number(text.slice(of.length)) : 0;
    },
    setLast: (document) => set(`${of}${document}`),
    finish() {
      replaceModel(db, model);
      deleteFact(db, 'refreshing');
    },
  });
}

function prepareSet(db: Connection, name: string): (value: number | string) => void {
  const set = db.prepare('REPLACE INTO index_facts (name, value) VALUES (?, ?)');
  return (value) => {
    set.run(name, value);
  };
}

/** How far a move has come, and how it ends. Each is a step of a transaction. */
interface Progress {
  last(): DocumentNumber;
  setLast(document: DocumentNumber): void;
  finish(): void;
}

function createReembedding(
  db: Connection,
  dimensions: number,
  { last, setLast, finish }: Progress,
): Reembedding {
  const lists = createInvertedListWriter(db, dimensions);
  const revise = prepareReviseIndex(db);
  const count = db.prepare(
    'SELECT count(*) AS documents, count(*) FILTER (WHERE number <= ?) AS done FROM documents',
  );
  const put = preparePut(db, 'UPDATE signals SET packed = ? WHERE document = ?', lists);
  const isThere = prepareIsThere(db);
  return {
    last,
    totals: () => count.get(last()) as { documents: number; done: number },
    documentsAfter: prepareDocumentsAfter(db, 'number > ?'),
    write(written) {
      db.transaction(() => {
        const found = written.filter(isThere);
        // First, because a removal writes the lists.
        for (const { document } of found) lists.remove(document);
        for (const one of found) put(one);
        lists.flush();
        setLast(written.at(-1)?.document ?? last());
        revise({ documents: 0, sentences: 0, terms: 0 });
      }).immediate();
    },
    prepareEnd: () => () => {
      db.transaction(finish).immediate();
      return true;
    },
    sample: () => [],
    drop: () => {},
  };
}
