/**
 * The index builder: reads files, embeds the texts that are new, and writes documents in short
 * transactions, in the order in which it was read.
 *
 *   entries ─► check ─► known? ─► plan ─► batch ─► embed (workers) ─► write
 *
 * Planning tells which paper a record is about and what it changes: see store/plan-change.ts. It
 * sees what is written; so a record that has to do with one that is still under way waits for it.
 *
 * Nothing depends on where a build was stopped: a record that is kept with the same content is
 * passed over at the speed of reading. Checkpoints only save the looking: see checkpoints.ts.
 */
import { VerbatimError } from '../errors.ts';
import { type KeptRecord, recordHash } from '../identity/kept-record.ts';
import { nameKeyOf } from '../identity/record-keys.ts';
import { withheldByTitle } from '../identity/withheld.ts';
import type { CheckpointTable } from '../store/checkpoints.ts';
import type { IndexWriter } from '../store/index-writer.ts';
import type { Embedding } from '../types.ts';
import { type BuildCounts, countPassedOver, countSkipped, noCounts } from './build-counts.ts';
import { createResumption, type FilePosition, identityOf } from './checkpoints.ts';
import type { Entry, Format, FormatLimits, Supplement } from './format.ts';
import { openInput } from './open-input.ts';
import { type DocumentLimits, type DocumentProblem, documentProblem } from './prepare.ts';
import { type Input, isFile, type PassedOver } from './read/input.ts';
import type { ByteSource } from './read/source.ts';
import { sourceOf } from './source-schemes.ts';
import {
  addArrival,
  type Batches,
  noBatches,
  note,
  noteIfDue,
  type Place,
  writeAll,
} from './write-batches.ts';

export interface BuildProgress extends BuildCounts {
  bytesRead: number;
  /** 0 where the size of an input is not known. */
  bytesTotal: number;
}

/** A bad record: where it stands, and what is wrong with it. */
export interface SkippedRecord extends DocumentProblem {
  path: string;
  line: number;
}

/** What the builder tells while it works. */
export interface BuildListener {
  /** A file is being read from now on, or was by an interrupted build up to this entry. */
  fileStarted(path: string, format: string, dealtWith: { entries: number; isDone: boolean }): void;
  /** A file or folder was passed over. */
  passedOver(input: PassedOver): void;
  /** A file could not be read, or not to its end; the error names it. */
  fileFailed(path: string, error: VerbatimError): void;
  skipped(record: SkippedRecord): void;
  progress(progress: BuildProgress): void;
}

export interface BuildOptions {
  files: readonly Input[];
  /** The format of all the files; undefined: each file's own. */
  format: Format | undefined;
  writer: IndexWriter;
  checkpoints: CheckpointTable;
  /** Embeds texts off this thread, in their order. */
  embed: (texts: string[]) => Promise<Embedding[]>;
  /** Batches that are embedded at a time. */
  batchesInFlightMax: number;
  limits: FormatLimits & DocumentLimits & { documentsPerBatch: number };
  listener: BuildListener;
  /** Stops reading; what is under way is still written. */
  signal: AbortSignal;
}

interface BuildState {
  options: BuildOptions;
  counts: BuildCounts;
  batches: Batches;
  bytesBefore: number;
  bytesTotal: number;
}

/** Adds all documents of the files. Resolves to the counts also when it was interrupted. */
export async function build(options: BuildOptions): Promise<BuildCounts> {
  const state = startState(options);
  for (const file of options.files) {
    if (options.signal.aborted) break;
    await addFile(state, file);
    if (isFile(file)) state.bytesBefore += file.bytes ?? 0;
  }
  const { batches, counts } = state;
  await writeAll(batches);
  if (options.signal.aborted) note(batches);
  else batches.resumption.finish();
  return counts;
}

function startState(options: BuildOptions): BuildState {
  const { writer, embed, batchesInFlightMax, limits, listener } = options;
  const counts = noCounts();
  const refuse = (place: Place): void => {
    const problem = 'it would join more records than one paper can have';
    skip({ counts, listener }, place, { problem, reason: 'not_one_paper' });
  };
  const { documentsPerBatch } = limits;
  const resumption = createResumption(options.checkpoints);
  const own = { writer, resumption, embed, documentsPerBatch, batchesInFlightMax, refuse };
  const files = options.files.filter(isFile);
  const isSized = files.every(({ bytes }) => bytes !== undefined);
  return {
    ...{ options, counts, batches: noBatches(own, counts), bytesBefore: 0 },
    bytesTotal: isSized ? files.reduce((sum, { bytes = 0 }) => sum + bytes, 0) : 0,
  };
}

async function addFile(state: BuildState, file: Input): Promise<void> {
  const { listener, format } = state.options;
  try {
    const opened = await openInput(file, format);
    if ('source' in opened) {
      await addContent(state, opened);
    } else {
      countPassedOver(state.counts, opened.passedOver);
      listener.passedOver(opened);
    }
  } catch (error) {
    if (!(error instanceof VerbatimError && error.code === 'unreadable_input')) throw error;
    state.counts.filesFailed++;
    listener.fileFailed(file.path, error);
  }
}

async function addContent(
  state: BuildState,
  { source, format }: { source: ByteSource; format: Format },
): Promise<void> {
  const { listener, limits, signal, writer } = state.options;
  const { counts, batches } = state;
  const file = writer.fileNumber(source.path, format.name);
  const position = await startOf(file, { source, format, limits });
  const dealtWith = batches.resumption.dealtWith(position);
  listener.fileStarted(source.path, format.name, dealtWith);
  counts.read += dealtWith.entries;
  counts.resumed += dealtWith.entries;
  position.entriesRead = dealtWith.entries;
  position.isAtEnd = dealtWith.isDone;
  if (dealtWith.isDone) return;
  const origin = { source: sourceOf(format), position, path: source.path };
  let entries = 0;
  for await (const entry of format.entries(source, limits)) {
    if (signal.aborted) return;
    if (++entries > dealtWith.entries) {
      position.entriesRead++;
      counts.read++;
      await addEntry(state, entry, origin);
    }
    const bytesRead = state.bytesBefore + source.bytesRead();
    listener.progress({ ...counts, bytesRead, bytesTotal: state.bytesTotal });
    noteIfDue(batches);
  }
  position.isAtEnd = true;
}

async function startOf(
  file: number,
  reading: { source: ByteSource; format: Format; limits: BuildOptions['limits'] },
): Promise<FilePosition> {
  const { source, format, limits } = reading;
  const { lineBytesMax, titleCharactersMax, abstractCharactersMax, authorsMax } = limits;
  const ownLimits = { lineBytesMax, titleCharactersMax, abstractCharactersMax, authorsMax };
  const identity = await identityOf(source, { format: format.name, limits: ownLimits });
  return { file, identity, entriesRead: 0, isAtEnd: false };
}

interface Origin {
  source: KeptRecord['source'];
  position: FilePosition;
  path: string;
}

async function addEntry(state: BuildState, entry: Entry, origin: Origin): Promise<void> {
  const { source, path, position } = origin;
  const place = { path, line: entry.line, position, entry: position.entriesRead };
  if ('problem' in entry) {
    skipIn(state, place, entry);
  } else if ('deletion' in entry) {
    await addArrival(state.batches, { source, deletion: entry.deletion }, place);
  } else if ('supplement' in entry) {
    await addRecord(state, { ...recordOf(entry.supplement), source, part: 'abstract' }, place);
  } else {
    const { document } = entry;
    // In any format: not every source has a field for it.
    const withheld = document.withheld ?? withheldByTitle(document.title);
    const known = withheld === undefined ? {} : { withheld };
    await addRecord(state, { ...document, ...known, source, part: 'record' }, place);
  }
}

/** What a supplement says, as a record that says nothing else. */
function recordOf({ identifiers, abstract, withheld }: Supplement) {
  const bare = { id: '', title: '', year: 0, authors: [], venue: '', updatedAt: 0 };
  return { ...bare, identifiers, abstract, ...(withheld === undefined ? {} : { withheld }) };
}

async function addRecord(state: BuildState, record: KeptRecord, place: Place): Promise<void> {
  const problem = documentProblem(record, state.options.limits);
  if (problem !== undefined) {
    skipIn(state, place, problem);
    return;
  }
  const { batches, options, counts } = state;
  const hash = recordHash(record);
  const key = nameKeyOf(record);
  if (!batches.pending.has(key) && options.writer.isKept(key, hash)) counts.unchanged++;
  else await addArrival(batches, { record, hash, file: place.position.file }, place);
}

function skipIn(state: BuildState, place: Place, problem: DocumentProblem): void {
  skip({ counts: state.counts, listener: state.options.listener }, place, problem);
}

function skip(
  { counts, listener }: { counts: BuildCounts; listener: BuildListener },
  { path, line }: Place,
  { problem, reason }: DocumentProblem,
): void {
  countSkipped(counts, reason);
  listener.skipped({ path, line, problem, reason });
}
