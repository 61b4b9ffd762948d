/** `verbatim index embed`: computes vectors for builds on another machine. */
import { constants, setPriority } from 'node:os';
import { Command } from 'commander';
import type { Settings } from '../config.ts';
import { deviceNamed } from '../embed/device.ts';
import { loadModel } from '../embed/model.ts';
import { VerbatimError } from '../errors.ts';
import { type EmbedCounts, type EmbedFilesOptions, embedFiles } from '../ingest/embed-files.ts';
import { formatNamed } from '../ingest/formats.ts';
import { listFiles } from '../ingest/read/list-files.ts';
import { openVectorsToAdd } from '../store/vector-file.ts';
import { createEmbedPool } from '../workers/embed-worker.ts';
import { listenForInterruption } from './interruption.ts';
import { type CommonOptions, parseCount, settingsOf, withModelOption } from './options.ts';
import { formatNumber, print, printJson } from './output.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from './progress.ts';

interface EmbedOptions extends CommonOptions {
  out: string;
  format?: string;
  threads?: number;
}

export function indexEmbedCommand(): Command {
  return withModelOption(new Command('embed'))
    .description('write the vectors of the texts in files, for `index add --embeddings`')
    .argument('<paths...>', 'files, folders, patterns, or -, as `index add` takes them')
    .requiredOption('--out <file>', 'the file of vectors; what it has already is kept')
    .option('--format <name>', 'format of the files (default: recognised by content)')
    .option('--threads <n>', 'threads that embed (default: the cores)', parseCount)
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
Example: one machine embeds, another one builds the index.
  verbatim index embed --out papers.vectors papers.jsonl.gz
  verbatim index add --embeddings papers.vectors papers.jsonl.gz

The file finds a vector by its text. So it may have more texts than a build needs, or fewer: the
rest is embedded there. After an interruption the same command goes on where it stopped.`,
    )
    .action(async (paths: string[], options: EmbedOptions) => {
      const given = options.threads === undefined ? {} : { embedThreads: options.threads };
      setPriority(constants.priority.PRIORITY_LOW);
      await embedInto(paths, { ...options, settings: settingsOf(options, given) });
    });
}

async function embedInto(
  paths: readonly string[],
  { settings, out, format, json = false }: EmbedOptions & { settings: Settings },
): Promise<void> {
  const started = performance.now();
  const files = await listFiles(paths);
  const model = loadModel(settings.model);
  const device = deviceNamed(settings.embedDevice);
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const writer = openVectorsToAdd(out, model);
  const batchesInFlightMax = settings.embedThreads + 1;
  const queueMax = batchesInFlightMax + 1;
  const { embedThreads: threads, textsPerBatch } = settings;
  const pool = createEmbedPool({ model: settings.model, device, threads, queueMax });
  try {
    const counts = await embedFiles({
      ...{ files, writer, textsPerBatch, batchesInFlightMax, limits: settings },
      format: format === undefined ? undefined : formatNamed(format),
      embed: (texts) => pool.embed(texts),
      listener: createListener(display),
      signal: interruption.signal,
    });
    display.finish();
    printCounts({ ...counts, seconds: (performance.now() - started) / 1000, out }, json);
    assertWhole(counts, interruption.signal);
  } finally {
    await pool.close();
    writer.close();
    interruption.stop();
  }
}

function createListener(display: ProgressDisplay): EmbedFilesOptions['listener'] {
  return {
    fileStarted: (path, format) => display.message(`reading ${path} (${format})`),
    fileFailed: (message) => display.message(message),
    progress: ({ read, embedded, known }) =>
      display.status(
        `${formatNumber(read)} records  ${formatNumber(embedded)} texts embedded  ` +
          `${formatNumber(known)} known`,
      ),
  };
}

function printCounts(report: EmbedCounts & { seconds: number; out: string }, json: boolean): void {
  if (json) {
    printJson(report);
    return;
  }
  const { read, embedded, known, seconds, out } = report;
  const rate = formatNumber(Math.round(embedded / Math.max(seconds, 0.001)));
  print(
    `${formatNumber(embedded)} texts of ${formatNumber(read)} records embedded into ${out}, ` +
      `${formatNumber(known)} known, in ${formatDuration(seconds)} (${rate} texts/s)`,
  );
}

function assertWhole({ filesFailed }: EmbedCounts, signal: AbortSignal): void {
  if (signal.aborted) {
    throw new VerbatimError('interrupted', 'interrupted; the same command goes on from here');
  }
  if (filesFailed === 0) return;
  const message = `files that could not be read to the end: ${filesFailed}`;
  throw new VerbatimError('unreadable_input', message);
}
