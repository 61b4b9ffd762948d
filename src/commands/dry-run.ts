/** `verbatim index add --dry-run`: what a build would do, without an index. */
import type { Settings } from '../config.ts';
import { messageOf, VerbatimError } from '../errors.ts';
import { countPassedOver, noCounts } from '../ingest/build-counts.ts';
import { type DryRunListener, dryRun, type FileForecast } from '../ingest/dry-run.ts';
import type { PassReason } from '../ingest/read/input.ts';
import { assertWhole } from './assert-whole.ts';
import { type BuildEstimate, createTextSample, estimateBuild } from './build-estimate.ts';
import { printEstimate, printForecast } from './dry-run-report.ts';
import { createInputMessages } from './input-messages.ts';
import { listenForInterruption } from './interruption.ts';
import { formatNumber, printJson } from './output.ts';
import { type InputOptions, prepareInput } from './prepare-input.ts';
import { createProgressDisplay, type ProgressDisplay } from './progress.ts';

export interface DryRunCommandOptions extends InputOptions {
  settings: Settings;
  json: boolean;
  /** Fails where a file was passed over, too. */
  strict: boolean;
}

/** What `--json` prints. */
export interface DryRunReport {
  files: FileForecast[];
  passedOver: { file: string; reason: PassReason; why: string }[];
  damaged: { file: string; why: string }[];
  /** Of all the files. */
  taken: number;
  estimate: BuildEstimate;
}

/** Throws as `addToIndex` does, for the same files and the same options. */
export async function dryRunOf(
  paths: readonly string[],
  options: DryRunCommandOptions,
): Promise<void> {
  const { settings, json, strict } = options;
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const { signal } = interruption;
  try {
    const input = await prepareInput(paths, options, { settings, display, signal });
    const report: Omit<DryRunReport, 'estimate'> = {
      ...{ files: [], passedOver: [], damaged: [], taken: 0 },
    };
    const counts = noCounts();
    const sample = createTextSample();
    const started = performance.now();
    const listener = createListener(display, { report, options, addText: sample.add });
    await dryRun({ ...input, limits: settings, listener, signal });
    display.finish();
    if (signal.aborted) throw new VerbatimError('interrupted', 'interrupted; nothing was written');
    const texts = report.files.reduce((sum, file) => sum + file.texts, 0);
    const readSeconds = (performance.now() - started) / 1000;
    const work = { texts, readSeconds, sample: sample.texts() };
    const estimate = await estimateBuild(work, settings);
    if (json) printJson({ ...report, estimate });
    else printEstimate(report.taken, estimate);
    for (const { reason } of report.passedOver) countPassedOver(counts, reason);
    counts.filesFailed = report.damaged.length;
    const files = input.files.filter((file) => !('passedOver' in file)).length;
    assertWhole(counts, { files, strict });
  } finally {
    interruption.stop();
  }
}

interface ListenerParts {
  /** Is filled. */
  report: Omit<DryRunReport, 'estimate'>;
  options: DryRunCommandOptions;
  addText: (text: string) => void;
}

function createListener(
  display: ProgressDisplay,
  { report, options, addText }: ListenerParts,
): DryRunListener {
  const messages = createInputMessages(display.message, options.settings.problemsShownMax);
  return {
    file(forecast) {
      report.files.push(forecast);
      report.taken += forecast.taken;
      display.finish();
      if (!options.json) printForecast(forecast);
    },
    passedOver(input) {
      const { path: file, passedOver: reason, why } = input;
      report.passedOver.push({ file, reason, why });
      messages.passedOver(input);
    },
    fileFailed(file, error) {
      report.damaged.push({ file, why: messageOf(error) });
      messages.fileFailed(error);
    },
    text: addText,
    progress: (read) => display.status(`${formatNumber(read)} records read`),
  };
}
