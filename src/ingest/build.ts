/**
 * The index builder: reads files, embeds what is new or has changed, and writes it in short
 * transactions, in the order in which it was read.
 *
 *   entries ─► check ─► unchanged? ─► batch ─► embed (workers) ─► write
 *
 * There is no checkpoint to lose: a document that is stored with the same content is passed over
 * at the speed of reading, so the same command goes on where it was stopped, however that was.
 */
import { messageOf, VerbatimError } from '../errors.ts';
import { contentHash, type IndexWriter } from '../store/index-writer.ts';
import type { Embedding, SourceDocument } from '../types.ts';
import type { Format, FormatLimits } from './format.ts';
import { recogniseFormat } from './formats.ts';
import {
  type DocumentLimits,
  documentProblem,
  type PreparedDocument,
  prepareDocument,
  withVectors,
} from './prepare.ts';
import { type ByteSource, openSource } from './source.ts';

export interface BuildCounts {
  /** Records read, good and bad. */
  read: number;
  added: number;
  updated: number;
  unchanged: number;
  /** Bad records, each reported. */
  skipped: number;
  /** Sentences embedded and written. */
  sentences: number;
  /** Files that could not be read to their end. */
  filesFailed: number;
}

export interface BuildProgress extends BuildCounts {
  bytesRead: number;
  bytesTotal: number;
}

/** What the builder tells while it works. */
export interface BuildListener {
  /** A file is being read from now on. */
  fileStarted(path: string, format: string): void;
  /** A record was skipped, or (without a line) the rest of a file. */
  problem(path: string, line: number | undefined, reason: string): void;
  progress(progress: BuildProgress): void;
}

export interface BuildOptions {
  files: readonly string[];
  /** The format of all the files; undefined: each file's own. */
  format: Format | undefined;
  writer: IndexWriter;
  /** Embeds texts off this thread, in their order. */
  embed: (texts: string[]) => Promise<Embedding[]>;
  /** Batches that are embedded at a time. */
  batchesInFlightMax: number;
  limits: FormatLimits & DocumentLimits & { documentsPerBatch: number };
  listener: BuildListener;
  /** Stops reading; what is under way is still written. */
  signal: AbortSignal;
}

interface Batch {
  documents: PreparedDocument[];
  vectors: Promise<Embedding[]>;
}

interface BuildState {
  options: BuildOptions;
  counts: BuildCounts;
  /** Documents for the next batch. */
  waiting: PreparedDocument[];
  /** Batches that are being embedded, oldest first. */
  inFlight: Batch[];
  /** What is waiting or in flight: it will be stored, so it counts as stored already. */
  pending: Map<string, Buffer>;
  bytesBefore: number;
  bytesTotal: number;
}

/** Adds all documents of the files. Resolves to the counts also when it was interrupted. */
export async function build(options: BuildOptions): Promise<BuildCounts> {
  // One after the other: all at once, a folder of many files would run out of descriptors.
  const sources: ByteSource[] = [];
  for (const file of options.files) sources.push(await openSource(file));
  const state: BuildState = {
    options,
    counts: {
      ...{ read: 0, added: 0, updated: 0, unchanged: 0, skipped: 0 },
      ...{ sentences: 0, filesFailed: 0 },
    },
    ...{ waiting: [], inFlight: [], pending: new Map() },
    bytesBefore: 0,
    bytesTotal: sources.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  for (const source of sources) {
    if (options.signal.aborted) break;
    await addFile(state, source);
    state.bytesBefore += source.bytes;
  }
  startBatch(state);
  while (state.inFlight.length > 0) await writeOldest(state);
  return state.counts;
}

async function addFile(state: BuildState, source: ByteSource): Promise<void> {
  const { listener, limits, signal } = state.options;
  try {
    const format = state.options.format ?? (await recogniseFormat(source, limits));
    listener.fileStarted(source.path, format.name);
    for await (const entry of format.entries(source, limits)) {
      if (signal.aborted) return;
      state.counts.read++;
      const problem = 'problem' in entry ? entry.problem : await addDocument(state, entry.document);
      if (problem !== undefined) {
        state.counts.skipped++;
        listener.problem(source.path, entry.line, problem);
      }
      const bytesRead = state.bytesBefore + source.bytesRead();
      listener.progress({ ...state.counts, bytesRead, bytesTotal: state.bytesTotal });
    }
  } catch (error) {
    if (!(error instanceof VerbatimError && error.code === 'unreadable_input')) throw error;
    state.counts.filesFailed++;
    listener.problem(source.path, undefined, messageOf(error));
  }
}

/** Returns what is wrong with the document, undefined where it was taken. */
async function addDocument(
  state: BuildState,
  document: SourceDocument,
): Promise<string | undefined> {
  const { limits, writer, batchesInFlightMax } = state.options;
  const problem = documentProblem(document, limits);
  if (problem !== undefined) return problem;
  const hash = contentHash(document);
  const isUnchanged =
    state.pending.get(document.id)?.equals(hash) ?? writer.isUnchanged(document.id, hash);
  if (isUnchanged) {
    state.counts.unchanged++;
    return undefined;
  }
  state.pending.set(document.id, hash);
  state.waiting.push(prepareDocument(document, hash));
  if (state.waiting.length < limits.documentsPerBatch) return undefined;
  startBatch(state);
  if (state.inFlight.length > batchesInFlightMax) await writeOldest(state);
  return undefined;
}

function startBatch(state: BuildState): void {
  if (state.waiting.length === 0) return;
  const documents = state.waiting;
  state.waiting = [];
  const vectors = state.options.embed(documents.flatMap(({ texts }) => texts));
  // A failure is met by whoever awaits the batch; until then it must not count as unhandled.
  vectors.catch(() => {});
  state.inFlight.push({ documents, vectors });
}

async function writeOldest(state: BuildState): Promise<void> {
  const batch = state.inFlight.shift();
  if (batch === undefined) return;
  const vectors = await batch.vectors;
  let next = 0;
  const indexed = batch.documents.map((document) => {
    const own = vectors.slice(next, next + document.texts.length);
    next += document.texts.length;
    return withVectors(document, own);
  });
  const { added, updated } = state.options.writer.write(indexed);
  state.counts.added += added;
  state.counts.updated += updated;
  for (const { source, hash, spans } of indexed) {
    state.counts.sentences += spans.length;
    if (state.pending.get(source.id) === hash) state.pending.delete(source.id);
  }
}
