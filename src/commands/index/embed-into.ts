/** Writes vectors into a file with progress and a report, for `index embed`. */

import { namingFault } from '../../database/sqlite/faults.ts';
import { VerbatimError } from '../../errors.ts';
import { openVectorsToAdd } from '../../index/vector-file.ts';
import { type EmbedCounts, type EmbedFilesOptions, embedFiles } from '../../ingest/embed-files.ts';
import { formatNamed } from '../../ingest/formats.ts';
import { encodingNamed } from '../../ingest/read/encoding.ts';
import { listFiles } from '../../ingest/read/list-files.ts';
import type { Settings } from '../../settings/config.ts';
import { loadModel } from '../../text/embed/model.ts';
import { formatNumber } from '../../text/format-number.ts';
import type { Embedding } from '../../types.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { print, printJson } from '../cli/output.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from '../cli/progress.ts';
import { assertAllRead } from './assert-all-read.ts';
import { openEmbedPool } from './embed-pool.ts';
import { createFileTally, type FileTally } from './file-tally.ts';
import { createInputMessages } from './input-messages.ts';
import { openTexts } from './text-file.ts';

export interface EmbedIntoOptions {
  settings: Settings;
  /** The file of vectors, or of texts. */
  out: string;
  /** Whether the texts are written, and not their vectors. */
  isOfTexts: boolean;
  format?: string;
  encoding?: string;
  json?: boolean;
}

/** Throws `interrupted` after Ctrl-C, `unreadable_input` if a file could not be read to the end. */
export async function embedInto(
  paths: readonly string[],
  { settings, out, isOfTexts, format, encoding, json = false }: EmbedIntoOptions,
): Promise<void> {
  const started = performance.now();
  const files = await listFiles(paths);
  const model = loadModel(settings.model);
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const writer = isOfTexts ? openTexts(out) : openVectorsToAdd(out, model);
  const tally = createFileTally();
  const batchesInFlightMax = settings.embedThreads + 1;
  const { textsPerBatch } = settings;
  const pool = isOfTexts ? notEmbedding : openEmbedPool(settings);
  try {
    const counts = await embedFiles({
      files,
      writer,
      textsPerBatch,
      batchesInFlightMax,
      limits: settings,
      format: format === undefined ? undefined : formatNamed(format),
      encoding: encoding === undefined ? undefined : encodingNamed(encoding),
      embed: pool.embed,
      listener: createListener(display, tally, settings),
      signal: interruption.signal,
    });
    display.finish();
    const seconds = (performance.now() - started) / 1000;
    printCounts({ ...counts, seconds, out }, { json, isOfTexts });
    if (interruption.signal.aborted) {
      throw new VerbatimError('interrupted', 'interrupted; run the same command to resume');
    }
    const { filesFailed } = counts;
    const { filesRead } = tally.report();
    assertAllRead(
      { filesFailed, filesPassedOver: 0, passedOverBy: {} },
      { filesRead, strict: false },
    );
  } catch (error) {
    throw namingFault(error, out);
  } finally {
    await pool.close();
    writer.close();
    interruption.stop();
  }
}

function createListener(
  display: ProgressDisplay,
  tally: FileTally,
  { problemsShownMax }: Settings,
): EmbedFilesOptions['listener'] {
  const messages = createInputMessages(display.message, problemsShownMax);
  return {
    fileStarted(path, format) {
      tally.started(path);
      display.message(`reading ${path} (${format})`);
    },
    passedOver: messages.passedOver,
    fileFailed(path, error) {
      tally.failed(path, error);
      messages.fileFailed(error);
    },
    progress: ({ read, embedded, known }) =>
      display.status(
        `${formatNumber(read)} records  ${formatNumber(embedded)} texts embedded  ` +
          `${formatNumber(known)} known`,
      ),
  };
}

/** For texts that are embedded elsewhere. */
const notEmbedding = { embed: async (): Promise<Embedding[]> => [], close: async () => {} };

function printCounts(
  report: EmbedCounts & { seconds: number; out: string },
  { json, isOfTexts }: { json: boolean; isOfTexts: boolean },
): void {
  if (json) {
    printJson(report);
    return;
  }
  const { read, embedded, known, seconds, out } = report;
  if (isOfTexts) {
    print(`${formatNumber(embedded)} texts of ${formatNumber(read)} records written to ${out}`);
    return;
  }
  const rate = formatNumber(Math.round(embedded / Math.max(seconds, 0.001)));
  print(
    `${formatNumber(embedded)} texts of ${formatNumber(read)} records embedded into ${out}, ` +
      `${formatNumber(known)} known, in ${formatDuration(seconds)} (${rate} texts/s)`,
  );
}
