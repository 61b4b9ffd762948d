/**
 * Searches in one process, with queries that are embedded before the clock starts. Adapt this file when
 * src/search changes.
 */
import { createDenseRetriever } from '../../../src/index/dense/dense-retrieval.ts';
import {
  cosinesWithOwn,
  dequantizeOwn,
  type OwnVector,
  ownVectorOf,
} from '../../../src/index/dense/embeddings.ts';
import { decodeForwardEntry } from '../../../src/index/forward-index.ts';
import { assertModel } from '../../../src/index/index-facts.ts';
import { createSearchDeps, retrieve as search } from '../../../src/search/search.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { createEmbedder, type QueryEmbedding } from '../../../src/text/embed/embedder.ts';
import { loadModel, type Model } from '../../../src/text/embed/model.ts';
import { readTermEmbeddings } from '../../../src/text/embed/term-embeddings.ts';
import type { DocumentNumber, Embedding } from '../../../src/types.ts';
import { dotProductsOf } from '../../../src/vectors/dot-products.ts';
import { keepBest } from '../../../src/vectors/keep-best.ts';
import { quantize, quantizedBytes } from '../../../src/vectors/quantization.ts';
import type { Answered } from '../../measure/clients.ts';
import { type IndexAccess, withIndex } from '../../measure/databases.ts';
import { task } from '../../measure/processes.ts';
import { meanOf } from '../../measure/statistics.ts';
import { hashAnswers } from '../answers-hash.ts';

/** Exact nearest documents of which the recall is measured. */
const NEAREST = 50;

/** Times retrieval and citation. Returns the milliseconds of each query, and the hash of the answers. */
export const retrieve = task(
  'retrieve',
  async (given: { database: string; queries: string[]; warmUp: string[] }) => {
    const { queries, warmUp } = given;
    const questions = await embedAll(queries);
    const warmUpQuestions = await embedAll(warmUp);
    return withIndex(given.database, async ({ db, source }) => {
      const model = currentModel();
      assertModel(db, model);
      const { queryEncoder } = model;
      const deps = createSearchDeps(source, queryEncoder, readSettings(), {
        termEmbeddings: readTermEmbeddings(queryEncoder),
      });
      // As a customer does who says nothing but how many results to return.
      const ask = ({ query, embedding }: Question) =>
        search({ query, limit: 10, withAbstract: false }, embedding, deps);
      for (const one of warmUpQuestions) await ask(one);
      const milliseconds: number[] = [];
      const answered: Answered[] = [];
      for (const question of questions) {
        const started = performance.now();
        const { answer } = await ask(question);
        milliseconds.push(performance.now() - started);
        answered.push({ query: question.query, answer });
      }
      return { milliseconds, hash: hashAnswers(answered) };
    });
  },
);

interface Question {
  query: string;
  embedding: QueryEmbedding;
}

/** The model of VERBATIM_MODEL, or the bundled one. */
function currentModel(): Model {
  return loadModel(readSettings().model);
}

/** Embeds queries one after another. */
async function embedAll(queries: readonly string[]): Promise<Question[]> {
  const embedder = await createEmbedder(currentModel().queryEncoder);
  const questions: Question[] = [];
  for (const query of queries) {
    questions.push({ query, embedding: await embedder.embedQuery(query) });
  }
  return questions;
}

/** Returns the mean share of the exact nearest documents that are among the dense candidates. */
export const recall = task(
  'recall',
  async ({ database, queries }: { database: string; queries: string[] }): Promise<number> => {
    const settings = readSettings();
    const model = currentModel();
    const vectors = (await embedAll(queries)).map(({ embedding }) => embedding.vector);
    return withIndex(database, ({ db }) => {
      assertModel(db, model);
      const dense = createDenseRetriever(db, model.dimensions, settings);
      const exact = findExactNearest(db, vectors);
      const shares = vectors.map((vector, at) => {
        const { nearest } = dense.retrieve(vector, settings.denseCandidatesMax);
        const candidates = new Set(nearest.map(({ document }) => document));
        const wanted = exact[at] ?? [];
        return wanted.filter((document) => candidates.has(document)).length / wanted.length;
      });
      return meanOf(shares);
    });
  },
);

/** Returns the nearest documents of each query, the nearest first, in one pass over the index. */
function findExactNearest(
  db: IndexAccess['db'],
  queries: readonly Embedding[],
): DocumentNumber[][] {
  const dimensions = queries[0]?.length ?? 0;
  const stored = queries.map(quantizeOwn);
  const best = queries.map(() => keepBest(NEAREST));
  const rows = db.prepare('SELECT document, packed FROM signals').iterate() as Iterable<{
    document: DocumentNumber;
    packed: Buffer;
  }>;
  for (const { document, packed } of rows) {
    const own = ownVectorOf(decodeForwardEntry(packed).vectors, dimensions);
    // The queries stand for documents here, so that one call compares all of them.
    const cosines = cosinesWithOwn(dotProductsOf(dequantizeOwn(own)), stored);
    for (const [query, one] of best.entries()) one.add(document, cosines[query] as number);
  }
  return best.map((one) => one.items().map(({ item }) => item));
}

function quantizeOwn(vector: Embedding): OwnVector {
  const bytes = new Uint8Array(quantizedBytes(vector.length, 8));
  const factor = quantize(vector, 8, bytes, 0);
  return { bytes, factor, dimensions: vector.length };
}
