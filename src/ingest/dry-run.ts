/** What a build would take of files, without an index: reads them, and writes nothing. */
import type { VerbatimError } from '../errors.ts';
import { createEntryReader, type KeptEntry } from './entry-records.ts';
import { judge } from './judge.ts';
import { type DocumentLimits, prepareDocument } from './prepare.ts';
import type { ArchiveLimits } from './read/archive.ts';
import type { FormatLimits, SkipReason, TableColumns } from './read/format.ts';
import { readHead } from './read/head.ts';
import type { Input, PassedOver } from './read/input.ts';
import {
  type OpenedFile,
  type Reading,
  type ReadOptions,
  readInput,
  startReading,
} from './read-input.ts';
import type { LeftOutReason } from './selection/selection.ts';
import type { Selector } from './selection/selector.ts';

/** What a file holds, of which so much would be taken. */
export interface FileForecast {
  file: string;
  format: string;
  /** Records read, good and bad. */
  read: number;
  /** Records that would be taken, new or not, with the abstracts that come apart. */
  taken: number;
  /** Of these, the ones with an abstract. */
  withAbstract: number;
  /** Papers that the source takes back. */
  deletions: number;
  skipped: number;
  skippedBy: Partial<Record<SkipReason, number>>;
  leftOut: number;
  leftOutBy: Partial<Record<LeftOutReason, number>>;
  /** Titles and sentences of the records that would be taken. */
  texts: number;
  /** How often records name a language or a type, as the source writes them. */
  languages: Record<string, number>;
  types: Record<string, number>;
  /** Of a table. */
  columns?: TableColumns;
}

export interface DryRunListener {
  /** A file was read, to its end or as far as it goes. */
  file(forecast: FileForecast): void;
  passedOver(input: PassedOver): void;
  fileFailed(path: string, error: VerbatimError): void;
  /** A title or a sentence that would be embedded. */
  text(text: string): void;
  /** Records read in all. */
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
  taken: number;
}

/** Values of a field that are told apart in a forecast; the others count as one. */
const VALUES_MAX = 30;

const OTHERS = '(others)';

/** Reads the files as a build would. */
export async function dryRun(options: DryRunOptions): Promise<void> {
  const reading = startReading(options.files, options);
  const state = { options, reading, read: 0, taken: 0 };
  for (const file of options.files) {
    if (isOver(state)) return;
    await readFile(state, file);
  }
}

function isOver({ options, taken }: DryRun): boolean {
  return options.signal.aborted || taken >= (options.selector.limit ?? Infinity);
}

async function readFile(state: DryRun, file: Input): Promise<void> {
  const { listener } = state.options;
  await readInput(file, state.reading, {
    read: (opened) => readContent(state, opened),
    passedOver: listener.passedOver,
    failed: listener.fileFailed,
    isOver: () => isOver(state),
  });
}

async function readContent(state: DryRun, { source, format, name }: OpenedFile): Promise<void> {
  const { limits, listener } = state.options;
  const forecast = emptyForecast(source.path, format.name);
  if (format.columns !== undefined) forecast.columns = format.columns(await readHead(source));
  const toKept = createEntryReader(format, name);
  try {
    for await (const entry of format.entries(source, limits)) {
      if (isOver(state)) break;
      forecast.read++;
      state.read++;
      addEntry(state, toKept(entry), forecast);
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

function addEntry(state: DryRun, kept: KeptEntry, forecast: FileForecast): void {
  const { limits, selector, listener } = state.options;
  const { languages = [], types = [] } = 'record' in kept ? (kept.about ?? {}) : {};
  for (const language of languages) count(forecast.languages, language);
  for (const type of types) count(forecast.types, type);
  const verdict = judge(kept, { limits, selector });
  if ('skipped' in verdict) {
    forecast.skipped++;
    count(forecast.skippedBy, verdict.skipped.reason);
  } else if ('leftOut' in verdict) {
    forecast.leftOut++;
    count(forecast.leftOutBy, verdict.leftOut);
  } else if ('deletion' in verdict) {
    forecast.deletions++;
  } else {
    state.taken++;
    forecast.taken++;
    if (verdict.record.abstract.trim() !== '') forecast.withAbstract++;
    const { texts } = prepareDocument(verdict.record);
    forecast.texts += texts.length;
    for (const text of texts) listener.text(text);
  }
}

function count(counts: Record<string, number>, value: string): void {
  const isKnown = Object.hasOwn(counts, value) || Object.keys(counts).length < VALUES_MAX;
  const key = isKnown ? value : OTHERS;
  counts[key] = (counts[key] ?? 0) + 1;
}
