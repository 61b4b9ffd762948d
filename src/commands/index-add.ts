/** `verbatim index add`: builds and extends the index. */
import { constants, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Command } from 'commander';
import type { Settings } from '../config.ts';
import { loadModel } from '../embed/model.ts';
import { VerbatimError } from '../errors.ts';
import { type BuildCounts, type BuildListener, build } from '../ingest/build.ts';
import { formatNamed, formats } from '../ingest/formats.ts';
import { listFiles } from '../ingest/list-files.ts';
import { arrangeCells, needsArranging } from '../store/arrange-cells.ts';
import { claimModel } from '../store/index-facts.ts';
import { createIndexWriter } from '../store/index-writer.ts';
import { openStore, type Store } from '../store/open.ts';
import { createEmbedPool } from '../workers/embed-worker.ts';
import {
  type CommonOptions,
  parseCount,
  settingsOf,
  storeOptions,
  withModelOptions,
} from './options.ts';
import { formatNumber, print, printable, printJson } from './output.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from './progress.ts';

interface AddOptions extends CommonOptions {
  format?: string;
  threads?: number;
}

export function indexAddCommand(): Command {
  const formatList = formats.map(({ name, description }) => `  ${name.padEnd(10)} ${description}`);
  return withModelOptions(new Command('add'))
    .description('add the documents of files, or of all files in folders, to the index')
    .argument('<paths...>', 'files, plain or gzip, or folders')
    .option('--format <name>', 'format of the files (default: recognised by content)')
    .option('--threads <n>', 'threads that embed (default: the cores)', parseCount)
    .addHelpText(
      'after',
      `
Formats:
${formatList.join('\n')}

A document whose id is in the index already replaces the old one if its content differs, and is
passed over if not. So after an interruption the same command goes on where it stopped. It runs
with low priority, so that a server on the same machine answers as before.`,
    )
    .action(async (paths: string[], options: AddOptions) => {
      const given = options.threads === undefined ? {} : { embedThreads: options.threads };
      const settings = settingsOf(options, given);
      const report = options.json ? 'json' : 'text';
      // Before any thread starts, which take it over: searches on the same machine go first.
      setPriority(constants.priority.PRIORITY_LOW);
      await addToIndex(paths, { settings, format: options.format, report });
    });
}

export interface AddToIndexOptions {
  settings: Settings;
  format?: string | undefined;
  /** How the counts are printed. */
  report: 'text' | 'json' | 'none';
}

/**
 * Builds, shows progress and prints the result. Throws `interrupted` after Ctrl-C and
 * `unreadable_input` where a file could not be read to its end.
 */
export async function addToIndex(paths: string[], options: AddToIndexOptions): Promise<void> {
  const { settings, report } = options;
  const format = options.format === undefined ? undefined : formatNamed(options.format);
  const files = await listFiles(paths);
  const model = loadModel(settings.model);
  const db = openStore(storeOptions(settings));
  const display = createProgressDisplay(process.stderr, { isQuiet: report !== 'text' });
  const interruption = listenForInterruption(display);
  const batchesInFlightMax = settings.embedThreads + 1;
  const started = performance.now();
  try {
    claimModel(db, model);
    const pool = createEmbedPool({
      ...{ model: settings.model, threads: settings.embedThreads },
      queueMax: batchesInFlightMax + 1,
    });
    const counts = await build({
      ...{ files, format, batchesInFlightMax, limits: settings },
      writer: createIndexWriter(db),
      embed: (texts) => pool.embed(texts),
      listener: createListener(display, settings.problemsShownMax),
      signal: interruption.signal,
    }).finally(() => pool.close());
    await arrange(db, display, interruption.signal);
    display.finish();
    printCounts(counts, { seconds: (performance.now() - started) / 1000, report });
    if (interruption.signal.aborted) {
      throw new VerbatimError('interrupted', 'interrupted; the same command goes on from here');
    }
    if (counts.filesFailed > 0) {
      throw new VerbatimError(
        'unreadable_input',
        `${counts.filesFailed} of ${files.length} files could not be read to the end`,
      );
    }
  } finally {
    interruption.stop();
    db.close();
  }
}

/** Arranges the cells where the index has grown; the next build does it if this one is stopped. */
async function arrange(db: Store, display: ProgressDisplay, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !needsArranging(db)) return;
  for (const share of arrangeCells(db)) {
    display.status(`arranging the index  ${Math.floor(100 * share)} %`);
    // Lets a Ctrl-C through.
    await setImmediate();
    if (signal.aborted) return;
  }
}

/** The first Ctrl-C stops reading and saves what is under way; a second one ends at once. */
function listenForInterruption(display: ProgressDisplay): {
  signal: AbortSignal;
  stop: () => void;
} {
  const controller = new AbortController();
  const interrupt = (): void => {
    display.message('stopping after the documents under way; again to stop at once');
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.once(name, interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of names) process.removeListener(name, interrupt);
    },
  };
}

/** Prints the first problems of each file; the rest is in the counts. */
function createListener(display: ProgressDisplay, problemsShownMax: number): BuildListener {
  let shown = 0;
  return {
    fileStarted(path, format) {
      shown = 0;
      display.message(`reading ${path} (${format})`);
    },
    problem(path, line, reason) {
      shown++;
      const place = line === undefined ? path : `${path}:${line}`;
      if (line === undefined || shown <= problemsShownMax) {
        display.message(`${place}: ${line === undefined ? '' : 'skipped: '}${printable(reason)}`);
      } else if (shown === problemsShownMax + 1) {
        display.message(`${path}: further bad records are only counted`);
      }
    },
    progress: (progress) => display.update(progress),
  };
}

function printCounts(
  counts: BuildCounts,
  { seconds, report }: { seconds: number; report: AddToIndexOptions['report'] },
): void {
  if (report === 'none') return;
  if (report === 'json') {
    printJson({ ...counts, seconds: Math.round(seconds * 1000) / 1000 });
    return;
  }
  const numbers = [
    `${formatNumber(counts.added)} added`,
    `${formatNumber(counts.updated)} updated`,
    `${formatNumber(counts.unchanged)} unchanged`,
    `${formatNumber(counts.skipped)} skipped`,
  ];
  const rate = Math.round((counts.added + counts.updated) / Math.max(seconds, 0.001));
  print(
    `${numbers.join(', ')}; ${formatNumber(counts.sentences)} sentences ` +
      `in ${formatDuration(seconds)} (${formatNumber(rate)} documents/s)`,
  );
}
