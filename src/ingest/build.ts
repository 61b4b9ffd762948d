/**
 * Builds the index: reads files, embeds new texts, and writes documents in short transactions, in
 * reading order.
 *
 *   entries ─► normalize, filter ─► unchanged? ─► plan ─► batch ─► embed (workers) ─► write
 *
 * Planning finds the paper of a record and what the record changes: see plan-change.ts. It sees only
 * what is written, so a record related to a pending one waits for it.
 *
 * A build can stop anywhere. The next one skips stored records with the same content at the speed of
 * reading, and checkpoints save even that: see build-checkpoints.ts.
 */
import type { VerbatimError } from '../errors.ts';
import { isPersonal, type KeptRecord, mergedRecord } from '../identity/kept-record.ts';
import { nameKeyOf } from '../identity/record-keys.ts';
import type { IndexBuilder } from '../index/ports/index-builder.ts';
import type { SourceFile } from '../index/records/source-files.ts';
import { newRecord } from '../index/records/stored-records.ts';
import type { Embedding } from '../types.ts';
import { createResumption, type FilePosition, identityOf } from './build-checkpoints.ts';
import {
  type BuildCounts,
  countLeftOut,
  countPassedOver,
  countSkipped,
  noCounts,
} from './build-counts.ts';
import { filterEntry } from './filter-entry.ts';
import { createEditFinder, type EditFinder } from './find-edits.ts';
import { createEntryNormalizer, type EntryNormalizer } from './normalize-entries.ts';
import type { DocumentLimits, DocumentProblem } from './prepare.ts';
import type { ArchiveLimits } from './read/archive.ts';
import { type Input, isFile, type PassedOver } from './read/input.ts';
import type { Entry, FormatLimits } from './read/packed-format.ts';
import {
  type OpenedFile,
  type Reading,
  type ReadOptions,
  readInput,
  startReading,
} from './read-input.ts';
import { assertFewReplaced, type ReplacementTally } from './replaced-papers.ts';
import { type Selector, takesAll } from './selection/selector.ts';
import {
  addIncomingRecord,
  areCheckpointsDue,
  type Batches,
  createBatches,
  type EntryLocation,
  saveCheckpoints,
  writeAll,
} from './write-batches.ts';

export interface BuildProgress extends BuildCounts {
  bytesRead: number;
  /** 0 if the size of an input is not known. */
  bytesTotal: number;
}

/** A bad record: where it is, and what is wrong with it. */
export interface SkippedRecord extends DocumentProblem {
  path: string;
  line: number;
  /** The fields that were read; undefined if it could not be read. */
  record: KeptRecord | undefined;
  /** The record as it stands in the file; undefined if the format does not provide it. */
  raw: string | undefined;
}

/** Receives the events of a build. */
export interface BuildListener {
  /** Reading of a file starts. An interrupted build has processed `resumed.entries` of it. */
  fileStarted(path: string, format: string, resumed: { entries: number; isDone: boolean }): void;
  passedOver(input: PassedOver): void;
  /** A file could not be read to the end. The error names it. */
  fileFailed(path: string, error: VerbatimError): void;
  skipped(record: SkippedRecord): void;
  progress(progress: BuildProgress): void;
}

export interface BuildOptions extends ReadOptions {
  files: readonly Input[];
  /** Which records to index; absent: all. */
  selector?: Selector;
  /** Stops the build if most papers would be replaced by papers with other titles; absent: never. */
  replacements?: ReplacementTally | undefined;
  /** Counts what is done, beside what others did with it; absent: from 0. */
  counts?: BuildCounts;
  /** Whether a record without an abstract keeps that of the record that it replaces. */
  keepsAbstracts?: boolean;
  /** Receives the records that were read and selected, new or not. */
  onRecord?: ((record: KeptRecord) => void) | undefined;
  builder: Omit<IndexBuilder, 'startBuild' | 'finish' | 'close'>;
  /** Embeds texts on other threads. The result has the order of the texts. */
  embed: (texts: string[]) => Promise<Embedding[]>;
  /** Batches embedded concurrently. */
  batchesInFlightMax: number;
  limits: FormatLimits & DocumentLimits & ArchiveLimits & { documentsPerBatch: number };
  listener: BuildListener;
  /** Stops reading. Pending changes are still written. */
  signal: AbortSignal;
}

interface BuildState {
  options: BuildOptions;
  reading: Reading;
  selector: Selector;
  counts: BuildCounts;
  batches: Batches;
  edits: EditFinder;
  /** Good records that the selector accepted, new or not. */
  recordsSelected: number;
  bytesBefore: number;
  bytesTotal: number;
}

/**
 * Adds the records of the files. Resolves to the counts, also after an interruption. Throws
 * `would_replace`, before it writes anything, if the ids of the files seem to belong to other papers.
 */
export async function build(options: BuildOptions): Promise<BuildCounts> {
  const { files, limits, builder, replacements: tally } = options;
  const state = await startState(options);
  const { reading, selector } = state;
  if (tally !== undefined) {
    await assertFewReplaced(files, { reading, limits, selector, builder, tally });
  }
  for (const file of files) {
    if (shouldStop(state)) break;
    await addFile(state, file);
    if (isFile(file)) state.bytesBefore += file.bytes ?? 0;
  }
  const { batches, counts } = state;
  await writeAll(batches);
  if (options.signal.aborted) await saveCheckpoints(batches);
  else await batches.resumption.finish();
  return counts;
}

async function startState(options: BuildOptions): Promise<BuildState> {
  const { builder, embed, batchesInFlightMax, limits, selector = takesAll } = options;
  const { counts = noCounts() } = options;
  const reject = (location: EntryLocation, record: KeptRecord | undefined): void => {
    const problem = 'it would join more records than one paper can have';
    const skipped = { problem, reason: 'not_one_paper' } as const;
    skip({ counts, options }, location, record === undefined ? { skipped } : { skipped, record });
  };
  const { documentsPerBatch } = limits;
  const resumption = await createResumption(builder);
  const own = { builder, resumption, embed, documentsPerBatch, batchesInFlightMax, reject };
  const files = options.files.filter(isFile);
  const reading = startReading(files, options);
  const isOneSource = options.sourceName !== undefined;
  const { signal } = options;
  const isSized = files.every(({ bytes }) => bytes !== undefined);
  return {
    options,
    selector,
    reading,
    edits: createEditFinder({ reading, limits, signal, builder, inputs: files, isOneSource }),
    counts,
    batches: createBatches(own, counts),
    bytesBefore: 0,
    recordsSelected: 0,
    bytesTotal: isSized ? files.reduce((sum, { bytes = 0 }) => sum + bytes, 0) : 0,
  };
}

/** Adds a file, or all files of an archive. */
async function addFile(state: BuildState, file: Input): Promise<void> {
  const { options, reading, counts } = state;
  const { listener } = options;
  await readInput(file, reading, {
    read: (opened) => addContent(state, opened, file),
    passedOver(input) {
      countPassedOver(counts, input.passedOver);
      listener.passedOver(input);
    },
    failed(path, error) {
      counts.filesFailed++;
      listener.fileFailed(path, error);
    },
    shouldStop: () => shouldStop(state),
  });
}

async function addContent(state: BuildState, opened: OpenedFile, input: Input): Promise<void> {
  const { source, format, name } = opened;
  const { listener, limits } = state.options;
  const { counts, batches } = state;
  const file = { path: source.path, format: format.name };
  const position = await positionOf(file, { ...opened, state });
  const resumed = await batches.resumption.resumeFrom(position);
  listener.fileStarted(source.path, format.name, resumed);
  counts.read += resumed.entries;
  counts.resumed += resumed.entries;
  position.entriesRead = resumed.entries;
  position.isAtEnd = resumed.isDone;
  if (resumed.isDone) return;
  const normalizer = createEntryNormalizer(format, name);
  const context = { normalizer, position, path: source.path, input };
  let entries = 0;
  for await (const entry of format.entries(source, limits)) {
    if (shouldStop(state)) return;
    if (++entries > resumed.entries) {
      position.entriesRead++;
      counts.read++;
      await addEntry(state, entry, context);
    } else {
      context.normalizer.skip(entry);
    }
    const bytesRead = state.bytesBefore + source.bytesRead();
    listener.progress({ ...counts, bytesRead, bytesTotal: state.bytesTotal });
    if (areCheckpointsDue(batches)) await saveCheckpoints(batches);
  }
  position.isAtEnd = true;
}

/** Whether the build was interrupted or has reached its limit. */
function shouldStop({ options, selector, recordsSelected }: BuildState): boolean {
  return options.signal.aborted || recordsSelected >= (selector.limit ?? Infinity);
}

async function positionOf(
  file: SourceFile,
  { source, format, name, state }: OpenedFile & { state: BuildState },
): Promise<FilePosition> {
  const { selector } = state;
  const { limits, encoding } = state.options;
  const { lineBytesMax, titleCharactersMax, abstractCharactersMax, authorsMax } = limits;
  const ownLimits = { lineBytesMax, titleCharactersMax, abstractCharactersMax, authorsMax };
  const chosen = selector.identity === undefined ? {} : { selection: selector.identity };
  // Checkpoints do not count selected records, so a build with a limit starts over.
  const identity =
    selector.limit === undefined
      ? await identityOf(source, {
          format: format.name,
          encoding,
          name,
          limits: ownLimits,
          ...chosen,
        })
      : undefined;
  return { file, identity, entriesRead: 0, isAtEnd: false };
}

interface FileContext {
  normalizer: EntryNormalizer;
  position: FilePosition;
  path: string;
  input: Input;
}

async function addEntry(state: BuildState, entry: Entry, context: FileContext): Promise<void> {
  const { normalizer, path, position } = context;
  const { selector } = state;
  const { limits } = state.options;
  const location = { path, line: entry.line, position, entry: position.entriesRead };
  const filtered = filterEntry(normalizer.normalize(entry), { limits, selector });
  if ('skipped' in filtered) {
    skip(state, location, { ...filtered, raw: entry.raw });
  } else if ('leftOut' in filtered) {
    countLeftOut(state.counts, filtered.leftOut);
  } else if ('deletion' in filtered) {
    const { source, deletion, isMerged } = filtered;
    if (isMerged) await addPaperRecord(state, mergedRecord(source, deletion), location);
    else await addIncomingRecord(state.batches, { source, deletion }, location);
  } else {
    state.recordsSelected++;
    state.options.onRecord?.(filtered.record);
    const record = await withKeptAbstract(filtered.record, state.options);
    await addPaperRecord(state, record, location, context.input);
  }
}

async function addPaperRecord(
  state: BuildState,
  record: KeptRecord,
  location: EntryLocation,
  input?: Input,
): Promise<void> {
  const { batches, options, counts, edits: finder } = state;
  const incoming = newRecord(record, location.position.file);
  const key = nameKeyOf(record);
  if (!batches.pending.has(key) && (await options.builder.isKept(key, incoming.hash))) {
    counts.unchanged++;
    return;
  }
  const edits = input && (await finder.replacedBy(record, input));
  if (isPersonal(record) && edits === undefined && options.signal.aborted) {
    // What it is an edit of may not have been found, so the next build reads it.
    batches.unwritten.add(location);
    return;
  }
  await addIncomingRecord(batches, { ...incoming, edits }, location);
}

/** Some sources deliver a record without the abstract that they delivered before. */
async function withKeptAbstract(
  record: KeptRecord,
  { keepsAbstracts = false, builder }: BuildOptions,
): Promise<KeptRecord> {
  if (!keepsAbstracts || record.part !== 'record' || record.abstract !== '') return record;
  const abstract = (await builder.replacedBy(record))?.abstract ?? '';
  return abstract === '' ? record : { ...record, abstract };
}

function skip(
  { counts, options }: Pick<BuildState, 'counts' | 'options'>,
  { path, line }: EntryLocation,
  {
    skipped,
    record,
    raw,
  }: { skipped: DocumentProblem; record?: KeptRecord; raw?: string | undefined },
): void {
  const { problem, reason } = skipped;
  countSkipped(counts, reason);
  options.listener.skipped({ path, line, problem, reason, record, raw });
}
