/** `verbatim index add --dry-run`: shows what a build would do, without an index. */

import { existsSync } from 'node:fs';
import { VerbatimError } from '../../errors.ts';
import { isOnPostgres } from '../../index/open/index-place.ts';
import { type BuildCounts, countPassedOver, noCounts } from '../../ingest/build-counts.ts';
import { type DryRunListener, dryRun, type FileForecast } from '../../ingest/dry-run-of-build.ts';
import type { Settings } from '../../settings/config.ts';
import { describeUnlisted, isMajority, type Unlisted } from '../../sources/remove-unlisted.ts';
import { formatNumber } from '../../text/format-number.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { print, printable, printJson } from '../cli/output.ts';
import { createProgressDisplay, type ProgressDisplay } from '../cli/progress.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';
import { assertAllRead, type FileCounts } from './assert-all-read.ts';
import {
  type BuildEstimate,
  createTextSample,
  estimateBuild,
  type TextSample,
} from './build-estimate.ts';
import { printFiles } from './build-report.ts';
import { readCompletion } from './complete-add.ts';
import { printEstimate, printForecast } from './dry-run-report.ts';
import { createFileTally, type FileReport, type FileTally } from './file-tally.ts';
import { createInputMessages } from './input-messages.ts';
import { type InputOptions, type PreparedInput, prepareInput } from './prepare-input.ts';
import { openSkippedLog, type SkippedLog } from './skipped-log.ts';

export interface DryRunCommandOptions extends InputOptions {
  settings: Settings;
  json: boolean;
  /** Whether a passed-over file is a failure. */
  strict: boolean;
  /** The file for skipped records and files. */
  skipped?: string | undefined;
  /** Whether the files are all of their source. */
  complete?: boolean | undefined;
}

/** What `--json` prints. */
export interface DryRunReport extends FileReport, FileCounts {
  files: FileForecast[];
  /** Records of all files that would be indexed. */
  taken: number;
  /** With `--complete`, what would be removed. */
  unlisted?: Unlisted;
  estimate: BuildEstimate;
}

/** Throws what `addToIndex` throws for the same files and options. */
export async function runDryRun(
  paths: readonly string[],
  options: DryRunCommandOptions,
): Promise<void> {
  const { settings, json, strict } = options;
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const { signal } = interruption;
  const { skippedRecordCharactersMax: recordCharactersMax } = settings;
  const log =
    options.skipped === undefined
      ? undefined
      : openSkippedLog(options.skipped, { recordCharactersMax, isGoingOn: false });
  try {
    const input = await prepareInput(paths, options, { settings, display, signal });
    const run: Run = {
      files: [],
      counts: noCounts(),
      tally: createFileTally(),
      sample: createTextSample(),
    };
    const started = performance.now();
    const listener = createListener(display, { ...run, log }, options);
    await dryRun({ ...input, limits: settings, listener, signal });
    display.finish();
    if (signal.aborted) throw new VerbatimError('interrupted', 'interrupted; nothing was written');
    const readSeconds = (performance.now() - started) / 1000;
    const texts = sumOf(run.files, ({ texts }) => texts);
    const estimate = await estimateBuild(
      { texts, readSeconds, sample: run.sample.texts() },
      settings,
    );
    const report = reportOf(run, estimate);
    if (options.complete) {
      report.unlisted = await unlistedIn(paths, input, { settings, display, signal });
      display.finish();
    }
    if (json) printJson(report);
    else {
      printFiles(report);
      if (report.unlisted) {
        const isMost = isMajority(report.unlisted) ? '; more than half needs --accept' : '';
        print(`to remove: ${printable(describeUnlisted(report.unlisted))}${isMost}`);
      }
      printEstimate(report.taken, estimate);
    }
    assertAllRead(run.counts, { filesRead: report.filesRead, strict });
  } finally {
    log?.close();
    interruption.stop();
  }
}

async function unlistedIn(
  paths: readonly string[],
  input: PreparedInput,
  deps: { settings: Settings; display: ProgressDisplay; signal: AbortSignal },
): Promise<Unlisted> {
  const { settings } = deps;
  if (!isOnPostgres(settings) && !existsSync(settings.database)) {
    return { records: 0, unlisted: 0, examples: [] };
  }
  return withOperatorIndex(settings, async (lists) => {
    return (await readCompletion(paths, input, { ...deps, lists, limits: settings })).unlisted;
  });
}

/** Results so far. */
interface Run {
  files: FileForecast[];
  counts: BuildCounts;
  tally: FileTally;
  sample: TextSample;
}

function reportOf({ files, counts, tally }: Run, estimate: BuildEstimate): DryRunReport {
  const { filesFailed, filesPassedOver, passedOverBy } = counts;
  const taken = sumOf(files, (file) => file.taken);
  const fileCounts = { filesFailed, filesPassedOver, passedOverBy };
  return { files, ...fileCounts, ...tally.report(), taken, estimate };
}

function sumOf(files: readonly FileForecast[], numberOf: (file: FileForecast) => number): number {
  return files.reduce((sum, file) => sum + numberOf(file), 0);
}

function createListener(
  display: ProgressDisplay,
  { files, counts, tally, sample, log }: Run & { log: SkippedLog | undefined },
  { json, settings }: DryRunCommandOptions,
): DryRunListener {
  const messages = createInputMessages(display.message, settings.problemsShownMax);
  return {
    file(forecast) {
      files.push(forecast);
      tally.started(forecast.file);
      display.finish();
      if (!json) printForecast(forecast);
    },
    passedOver(input) {
      countPassedOver(counts, input.passedOver);
      tally.passedOver(input);
      messages.passedOver(input);
      log?.passedOver(input);
    },
    skipped: (record) => log?.record(record),
    fileFailed(file, error) {
      counts.filesFailed++;
      tally.failed(file, error);
      messages.fileFailed(error);
      log?.fileFailed(file, error);
    },
    text: sample.add,
    progress: (read) => display.status(`${formatNumber(read)} records read`),
  };
}
