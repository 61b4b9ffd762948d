/** Gives all documents of an index the vectors of another model, in the order of their numbers. */
import type {
  NewVectors,
  Reembedding,
  StoredTexts,
} from '../index/documents/reembedded-documents.ts';
import type { Embedding } from '../types.ts';
import type { Embed } from './precomputed.ts';
import { type PreparedDocument, prepareDocument, withVectors } from './prepare.ts';

export interface ReembedOptions {
  reembedding: Reembedding;
  embed: Embed;
  documentsPerBatch: number;
  /** Batches embedded concurrently. */
  batchesInFlightMax: number;
  /** Called after each batch with the number of documents that this run has written. */
  progress: (written: number) => void;
  /** Stops reading. Pending documents are still written. */
  signal: AbortSignal;
}

interface Batch {
  documents: { stored: StoredTexts; prepared: PreparedDocument }[];
  vectors: Promise<Embedding[]>;
}

/** Returns the number of documents written. If it was not stopped, all documents are done. */
export async function reembed(options: ReembedOptions): Promise<number> {
  const { reembedding, documentsPerBatch, batchesInFlightMax, progress, signal } = options;
  const inFlight: Batch[] = [];
  let after = reembedding.last();
  let written = 0;
  for (;;) {
    while (!signal.aborted && inFlight.length <= batchesInFlightMax) {
      const documents = reembedding.documentsAfter(after, documentsPerBatch);
      const last = documents.at(-1);
      if (last === undefined) break;
      after = last.document;
      inFlight.push(startBatch(documents, options.embed));
    }
    const batch = inFlight.shift();
    if (batch === undefined) return written;
    reembedding.write(newVectors(batch, await batch.vectors));
    written += batch.documents.length;
    progress(written);
  }
}

function startBatch(all: readonly StoredTexts[], embed: Embed): Batch {
  const documents = all.map((stored) => {
    return { stored, prepared: prepareDocument(stored.source, { spans: stored.spans }) };
  });
  const texts = documents.flatMap(({ prepared }) => prepared.texts);
  const vectors = texts.length === 0 ? Promise.resolve([]) : embed(texts);
  // Whoever awaits the batch gets the failure. Until then it must not count as unhandled.
  vectors.catch(() => {});
  return { documents, vectors };
}

function newVectors({ documents }: Batch, vectors: readonly Embedding[]): NewVectors[] {
  let next = 0;
  return documents.map(({ stored: { document, source }, prepared }) => {
    const own = vectors.slice(next, next + prepared.texts.length);
    next += prepared.texts.length;
    const indexed = withVectors(prepared, own);
    return { document, source, own: indexed.own, units: indexed.units };
  });
}
