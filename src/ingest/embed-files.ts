/** Embeds all texts of files into a file of vectors, without an index. */
import type { VerbatimError } from '../errors.ts';
import type { VectorWriter } from '../index/vector-file.ts';
import type { Embedding } from '../types.ts';
import type { Embed } from './precomputed.ts';
import { prepareDocument } from './prepare.ts';
import type { ArchiveLimits } from './read/archive.ts';
import type { Input, PassedOver } from './read/input.ts';
import type { Entry, FormatLimits } from './read/packed-format.ts';
import {
  type OpenedFile,
  type Reading,
  type ReadOptions,
  readInput,
  startReading,
} from './read-input.ts';

export interface EmbedCounts {
  /** Records read, good and bad. */
  read: number;
  /** Records without a text that could be embedded. */
  withoutText: number;
  /** Texts whose vectors were written. */
  embedded: number;
  /** Texts that the file already had, or that occurred before. */
  known: number;
  /** Files that could not be read to the end. */
  filesFailed: number;
}

export interface EmbedFilesOptions extends ReadOptions {
  files: readonly Input[];
  writer: VectorWriter;
  embed: Embed;
  textsPerBatch: number;
  batchesInFlightMax: number;
  limits: FormatLimits & ArchiveLimits;
  listener: {
    fileStarted(path: string, format: string): void;
    passedOver(input: PassedOver): void;
    fileFailed(path: string, error: VerbatimError): void;
    progress(counts: EmbedCounts): void;
  };
  /** Stops reading. Pending vectors are still written. */
  signal: AbortSignal;
}

interface Batch {
  texts: string[];
  vectors: Promise<Embedding[]>;
}

interface EmbedState {
  options: EmbedFilesOptions;
  reading: Reading;
  counts: EmbedCounts;
  /** Texts for the next batch. */
  waiting: Set<string>;
  /** Batches being embedded, oldest first. */
  inFlight: Batch[];
}

/** Resolves to the counts, also after an interruption. Calling it again resumes. */
export async function embedFiles(options: EmbedFilesOptions): Promise<EmbedCounts> {
  const counts = { read: 0, withoutText: 0, embedded: 0, known: 0, filesFailed: 0 };
  const reading = startReading(options.files, options);
  const state: EmbedState = { options, reading, counts, waiting: new Set(), inFlight: [] };
  for (const file of options.files) {
    if (options.signal.aborted) break;
    await embedFile(state, file);
  }
  startBatch(state);
  while (state.inFlight.length > 0) await writeOldest(state);
  return counts;
}

/** Embeds a file, or all files of an archive. */
async function embedFile(state: EmbedState, file: Input): Promise<void> {
  const { counts, options, reading } = state;
  await readInput(file, reading, {
    read: (opened) => embedContent(state, opened),
    passedOver: options.listener.passedOver,
    failed(path, error) {
      counts.filesFailed++;
      options.listener.fileFailed(path, error);
    },
    shouldStop: () => options.signal.aborted,
  });
}

async function embedContent(state: EmbedState, { source, format }: OpenedFile): Promise<void> {
  const { limits, listener, signal } = state.options;
  listener.fileStarted(source.path, format.name);
  for await (const entry of format.entries(source, limits)) {
    if (signal.aborted) return;
    state.counts.read++;
    const texts = textsOf(entry);
    if (texts.length === 0) state.counts.withoutText++;
    for (const text of texts) await addText(state, text);
    listener.progress(state.counts);
  }
}

/** The texts that a build would embed for this entry, whichever records form a paper with it. */
function textsOf(entry: Entry): string[] {
  if ('document' in entry) return prepareDocument(entry.document).texts;
  if (!('supplement' in entry)) return [];
  const { abstract } = entry.supplement;
  const bare = { id: '', title: '', year: 0, authors: [], venue: '' };
  return prepareDocument({ ...bare, abstract }).texts;
}

async function addText(state: EmbedState, text: string): Promise<void> {
  const { writer, textsPerBatch, batchesInFlightMax } = state.options;
  const { waiting, inFlight, counts } = state;
  const isUnderWay = waiting.has(text) || inFlight.some(({ texts }) => texts.includes(text));
  if (isUnderWay || writer.has(text)) {
    counts.known++;
    return;
  }
  waiting.add(text);
  if (waiting.size < textsPerBatch) return;
  startBatch(state);
  if (inFlight.length > batchesInFlightMax) await writeOldest(state);
}

function startBatch(state: EmbedState): void {
  if (state.waiting.size === 0) return;
  const texts = [...state.waiting];
  state.waiting.clear();
  const vectors = state.options.embed(texts);
  // Whoever awaits the batch gets the failure. Until then it must not count as unhandled.
  vectors.catch(() => {});
  state.inFlight.push({ texts, vectors });
}

async function writeOldest(state: EmbedState): Promise<void> {
  const batch = state.inFlight.shift();
  if (batch === undefined) return;
  state.options.writer.add(batch.texts, await batch.vectors);
  state.counts.embedded += batch.texts.length;
}
