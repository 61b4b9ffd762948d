/**
 * Multiplies the documents of an index by adding synthetic ones through the real writer. A second
 * run resumes where the first was stopped.
 */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { finishIndex } from '../../../src/commands/index/finish-index.ts';
import { openExistingStore } from '../../../src/database/open.ts';
import { decodeEmbeddings, quantizeUnit } from '../../../src/index/dense/embeddings.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import type { IndexedDocument } from '../../../src/index/documents/make-change.ts';
import type { StoredDocument } from '../../../src/index/documents/stored-document.ts';
import type { ForwardEntry } from '../../../src/index/forward-index.ts';
import { readModel, readTotals } from '../../../src/index/index-facts.ts';
import { createSqliteBuilder } from '../../../src/index/sqlite/sqlite-builder.ts';
import { withUnits } from '../../../src/ingest/prepare.ts';
import type { Embedding } from '../../../src/types.ts';
import { copyDatabase, type IndexAccess, openOptions, withIndex } from '../../measure/databases.ts';
import { task } from '../../measure/processes.ts';
import { createRandom, type Random } from '../../measure/random.ts';
import { say } from '../../measure/report.ts';
import { joinSentences, mixTitles, perturb, swapSome } from '../synthetic.ts';

type GrowInput = Record<'from' | 'to', string> & Record<'factor' | 'seed', number>;

/** Documents that exchange sentences with each other. */
const DOCUMENTS_PER_BATCH = 2048;
/**
 * Many, because nobody else waits for the lock, and because a transaction writes each list anew that
 * gets a document: in a large index nearly as many lists as documents.
 */
const BATCHES_PER_TRANSACTION = 8;
/** Pages of the write-ahead log between two checkpoints: 1 GB, because most pages change again soon. */
const PAGES_PER_CHECKPOINT = 131_072;
/** The page cache in KB. */
const CACHED_KB = 1024 * 1024;

/** The pieces of a document from which synthetic ones are made. */
interface Pieces {
  document: StoredDocument;
  title: Embedding;
  sentences: { text: string; vector: Embedding }[];
}

/** Makes the grown index, or completes it. */
export const grow = task('grow', async ({ from, to, factor, seed }: GrowInput): Promise<void> => {
  if (!existsSync(to)) {
    assertSpace(from, { to, factor });
    await copyDatabase(from, to);
  }
  await withIndex(from, async (base) => {
    const goal = base.numbers.length * factor;
    const db = openExistingStore(openOptions(to));
    // What a power failure damages is grown again.
    db.pragma('synchronous = OFF');
    db.pragma(`wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`);
    db.pragma(`cache_size = -${CACHED_KB}`);
    try {
      const { documents } = readTotals(db);
      const isSameModel = readModel(db)?.sha256 === readModel(base.db)?.sha256;
      if (documents < base.numbers.length || documents > goal || !isSameModel) {
        throw new Error(`${to} was grown from another index; remove it or name another file`);
      }
      const writer = createIndexWriter(db);
      for (let done = documents; done < goal; ) {
        const documents = makeBatches(base, { first: done - base.numbers.length, seed });
        const { added } = writer.write(documents.slice(0, goal - done));
        if (added === 0) throw new Error('the synthetic documents were merged with existing ones');
        done += added;
        say(`grown to ${done} of ${goal} documents`);
      }
      // As `index add` does, also a grown index that was stopped before.
      const { signal } = new AbortController();
      await finishIndex(createSqliteBuilder(db), { signal, showStatus: () => {} });
    } finally {
      db.close();
    }
  });
});

/** Makes the documents of a transaction. */
function makeBatches(base: IndexAccess, { first, seed }: { first: number; seed: number }) {
  return Array.from({ length: BATCHES_PER_TRANSACTION }, (_, at) =>
    makeBatch(base, { first: first + at * DOCUMENTS_PER_BATCH, seed }),
  ).flat();
}

/** Makes synthetic documents from number `first` on. The same arguments make the same documents. */
function makeBatch(base: IndexAccess, { first, seed }: { first: number; seed: number }) {
  const random = createRandom(`growth ${seed} ${first}`);
  const { numbers, reader, db } = base;
  const dimensions = readModel(db)?.dimensions ?? 0;
  const pieces = Array.from({ length: DOCUMENTS_PER_BATCH }, (_, at): Pieces => {
    const number = numbers[(first + at) % numbers.length] as number;
    const document = reader.readUnchecked(number);
    const [entry] = reader.readForwardEntries([number]) as [ForwardEntry];
    const vectors = decodeEmbeddings(entry.vectors, dimensions);
    const [, title, ...sentenceVectors] = vectors as [Embedding, Embedding, ...Embedding[]];
    const sentences = document.spans.map(({ start, end }, index) => ({
      text: document.abstract.slice(start, end),
      vector: sentenceVectors[index] as Embedding,
    }));
    return { document, title, sentences };
  });
  return pieces.map((own, at) => {
    const other = pieces[random.below(pieces.length)] as Pieces;
    return synthesize(`bench-grown:${first + at}`, { own, other, random });
  });
}

function synthesize(
  id: string,
  { own, other, random }: { own: Pieces; other: Pieces; random: Random },
): IndexedDocument {
  const sentences = swapSome(own.sentences, other.sentences, random);
  const { abstract, spans } = joinSentences(sentences.map(({ text }) => text));
  const { year, venue } = own.document;
  // With its own author, a document whose title stays the same is not merged with its original.
  const authors = [`Author ${id}`, ...own.document.authors.slice(1)];
  const title = mixTitles(own.document.title, other.document.title);
  const source = { id, title, abstract, year, authors, venue };
  const titleVectors = title === '' ? [] : [perturb([own.title, other.title], random)];
  const vectors = [...titleVectors, ...sentences.map(({ vector }) => perturb([vector], random))];
  return withUnits({ source, spans }, vectors.map(quantizeUnit));
}

function assertSpace(from: string, { to, factor }: { to: string; factor: number }): void {
  const needed = statSync(from).size * factor;
  const { bavail, bsize } = statfsSync(dirname(to));
  if (bavail * bsize >= needed) return;
  throw new Error(`the grown index would need ${Math.ceil(needed / 1e9)} GB beside ${to}`);
}
