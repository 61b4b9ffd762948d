/** Reads files and reports what a build would do with them. It needs no index and writes nothing. */
import type { VerbatimError } from '../errors.ts';
import type { SkippedRecord } from './build.ts';
import { countLeftOut, countSkipped, type RecordCounts } from './build-counts.ts';
import { filterEntry } from './filter-entry.ts';
import { createEntryNormalizer, type NormalizedEntry } from './normalize-entries.ts';
import { type DocumentLimits, prepareDocument } from './prepare.ts';
import type { ArchiveLimits } from './read/archive.ts';
import { readHead } from './read/head.ts';
import type { Input, PassedOver } from './read/input.ts';
import type { Entry, FormatLimits, TableColumns } from './read/packed-format.ts';
import {
  type OpenedFile,
  type Reading,
  type ReadOptions,
  readInput,
  startReading,
} from './read-input.ts';
import type { Selector } from './selection/selector.ts';

/** What a build would do with one file. */
export interface FileForecast extends RecordCounts {
  file: string;
  format: string;
  /** Records that the build would index, new or not, and abstracts that come separately. */
  taken: number;
  /** Indexed records that have an abstract. */
  withAbstract: number;
  /** Papers that the source deletes. */
  deletions: number;
  /** Titles and sentences of the records that would be indexed. */
  texts: number;
  /** How many records have each language and each type, as the source writes them. */
  languages: Record<string, number>;
  types: Record<string, number>;
  /** Set for tables. */
  columns?: TableColumns;
}

export interface DryRunListener {
  /** A file was read, to the end or as far as it is readable. */
  file(forecast: FileForecast): void;
  passedOver(input: PassedOver): void;
  /** A bad record. */
  skipped(record: SkippedRecord): void;
  fileFailed(path: string, error: VerbatimError): void;
  /** A title or a sentence that would be embedded. */
  text(text: string): void;
  /** `read`: all records so far. */
  progress(read: number): void;
}

export interface DryRunOptions extends ReadOptions {
  files: readonly Input[];
  selector: Selector;
  limits: FormatLimits & DocumentLimits & ArchiveLimits;
  listener: DryRunListener;
  signal: AbortSignal;
}

interface DryRun {
  options: DryRunOptions;
  reading: Reading;
  read: number;
  recordsSelected: number;
}

/** Distinct values counted for a field. Further values are counted together. */
const VALUES_MAX = 30;

const OTHERS = '(others)';

/** Reads the files the way a build would. */
export async function dryRun(options: DryRunOptions): Promise<void> {
  const reading = startReading(options.files, options);
  const state = { options, reading, read: 0, recordsSelected: 0 };
  for (const file of options.files) {
    if (shouldStop(state)) return;
    await readFile(state, file);
  }
}

function shouldStop({ options, recordsSelected }: DryRun): boolean {
  return options.signal.aborted || recordsSelected >= (options.selector.limit ?? Infinity);
}

async function readFile(state: DryRun, file: Input): Promise<void> {
  const { listener } = state.options;
  await readInput(file, state.reading, {
    read: (opened) => readContent(state, opened),
    passedOver: listener.passedOver,
    failed: listener.fileFailed,
    shouldStop: () => shouldStop(state),
  });
}

async function readContent(state: DryRun, { source, format, name }: OpenedFile): Promise<void> {
  const { limits, listener } = state.options;
  const forecast = emptyForecast(source.path, format.name);
  if (format.columns !== undefined) forecast.columns = format.columns(await readHead(source));
  const { normalize } = createEntryNormalizer(format, name);
  try {
    for await (const entry of format.entries(source, limits)) {
      if (shouldStop(state)) break;
      forecast.read++;
      state.read++;
      addEntry(state, { entry, normalized: normalize(entry) }, forecast);
      listener.progress(state.read);
    }
  } finally {
    listener.file(forecast);
  }
}

function emptyForecast(file: string, format: string): FileForecast {
  return {
    file,
    format,
    read: 0,
    taken: 0,
    withAbstract: 0,
    deletions: 0,
    skipped: 0,
    skippedBy: {},
    leftOut: 0,
    leftOutBy: {},
    texts: 0,
    languages: {},
    types: {},
  };
}

function addEntry(
  state: DryRun,
  { entry, normalized }: { entry: Entry; normalized: NormalizedEntry },
  forecast: FileForecast,
): void {
  const { limits, selector, listener } = state.options;
  const { languages = [], types = [] } = 'record' in normalized ? (normalized.about ?? {}) : {};
  for (const language of languages) countValue(forecast.languages, language);
  for (const type of types) countValue(forecast.types, type);
  const filtered = filterEntry(normalized, { limits, selector });
  if ('skipped' in filtered) {
    const { problem, reason } = filtered.skipped;
    countSkipped(forecast, reason);
    const { line, raw } = entry;
    listener.skipped({ path: forecast.file, line, problem, reason, raw, record: filtered.record });
  } else if ('leftOut' in filtered) {
    countLeftOut(forecast, filtered.leftOut);
  } else if ('deletion' in filtered) {
    forecast.deletions++;
  } else {
    state.recordsSelected++;
    forecast.taken++;
    if (filtered.record.abstract.trim() !== '') forecast.withAbstract++;
    const { texts } = prepareDocument(filtered.record);
    forecast.texts += texts.length;
    for (const text of texts) listener.text(text);
  }
}

function countValue(counts: Record<string, number>, value: string): void {
  const isKnown = Object.hasOwn(counts, value) || Object.keys(counts).length < VALUES_MAX;
  const key = isKnown ? value : OTHERS;
  counts[key] = (counts[key] ?? 0) + 1;
}
