/** Adds files to the index with progress and a report, for `index add`, `start`, and `eval`. */

import { existsSync } from 'node:fs';
import { faultOf, namingFault } from '../../database/sqlite/faults.ts';
import { VerbatimError } from '../../errors.ts';
import { isOnPostgres, placeOf } from '../../index/open/index-place.ts';
import { openIndex } from '../../index/open/open-index.ts';
import type { IndexBuilder } from '../../index/ports/index-builder.ts';
import { build } from '../../ingest/build.ts';
import { noCounts } from '../../ingest/build-counts.ts';
import { newReplacementTally } from '../../ingest/replaced-papers.ts';
import type { Settings } from '../../settings/config.ts';
import { removeUnlisted } from '../../sources/remove-unlisted.ts';
import { describeModel } from '../../text/embed/model.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { createProgressDisplay, type ProgressDisplay } from '../cli/progress.ts';
import { assertAllRead } from './assert-all-read.ts';
import { createListener } from './build-listener.ts';
import { printReport, type ReportFormat } from './build-report.ts';
import { confirmRemoval, readCompletion } from './complete-add.ts';
import { createFileTally } from './file-tally.ts';
import { finishIndex } from './finish-index.ts';
import { openEmbedding } from './open-embedding.ts';
import { type InputOptions, type PreparedInput, prepareInput } from './prepare-input.ts';
import { type BuildRecorder, recordBuild } from './record-build.ts';
import { openSkippedLog, type SkippedLog } from './skipped-log.ts';

export interface AddToIndexOptions extends InputOptions {
  settings: Settings;
  /** Files of vectors. */
  embeddings?: readonly string[] | undefined;
  /** Whether papers may be replaced by papers with other titles, and most of a source removed. */
  isAccepted?: boolean;
  /** Whether the files are all of their source: what they do not have is removed. */
  complete?: boolean | undefined;
  /** Whether nobody is asked before that. */
  yes?: boolean | undefined;
  /** How the counts are printed. */
  report: ReportFormat;
  /** Whether a passed-over file is a failure. */
  strict?: boolean | undefined;
  /** The file for skipped records. */
  skipped?: string | undefined;
}

/**
 * Builds, shows progress, and prints the report. Throws `interrupted` after Ctrl-C,
 * `unreadable_input` if a file could not be read to the end (with `strict`, also if one was passed
 * over), and `would_replace` if most of a file's records would replace other papers.
 */
export async function addToIndex(paths: string[], options: AddToIndexOptions): Promise<void> {
  const { settings, report } = options;
  const display = createProgressDisplay(process.stderr, {
    format: report === 'line' ? 'text' : report,
  });
  const interruption = listenForInterruption(display);
  try {
    const { signal } = interruption;
    const input = await prepareInput(paths, options, { settings, display, signal });
    await addInput(paths, input, options, { display, signal });
  } catch (error) {
    throw namingFault(error, settings.database);
  } finally {
    interruption.stop();
  }
}

async function addInput(
  paths: readonly string[],
  input: PreparedInput,
  options: AddToIndexOptions,
  { display, signal }: { display: ProgressDisplay; signal: AbortSignal },
): Promise<void> {
  const { settings, report } = options;
  const model = describeModel(settings.model);
  const batchesInFlightMax = settings.embedThreads + 1;
  const closing: (() => unknown)[] = [];
  try {
    const isNew = !isOnPostgres(settings) && !existsSync(settings.database);
    const builder = await (await openIndex(placeOf(settings))).builder(model);
    if (isNew) display.message(`created a new database: ${settings.database}`);
    closing.push(builder.close);
    const completion = options.complete
      ? await readCompletion(paths, input, { lists: builder, limits: settings, display, signal })
      : undefined;
    if (completion !== undefined) {
      const { isAccepted = false, yes: isAgreed = false } = options;
      await confirmRemoval(completion, { isAccepted, isAgreed, display });
    }
    const skippedLog = await openLog(options, builder);
    closing.push(() => skippedLog?.close());
    const embedding = openEmbedding(settings, options.embeddings);
    closing.push(embedding.close);
    const files = input.files.filter((file) => !('passedOver' in file)).map(({ path }) => path);
    const tally = createFileTally();
    const note = await recordBuild(builder, { files, tally, precomputed: embedding.taken });
    const counts = noCounts();
    const building = build({
      ...input,
      counts,
      onRecord: completion?.note,
      batchesInFlightMax,
      limits: settings,
      signal,
      replacements: options.isAccepted === true ? undefined : newReplacementTally(),
      builder,
      embed: embedding.embed,
      listener: createListener(display, {
        problemsShownMax: settings.problemsShownMax,
        tally,
        skippedLog,
        recordProgress: note.progress,
        isBrief: report === 'line',
      }),
    });
    await building
      .then(async () => {
        // A file that was damaged meanwhile does not show what is gone.
        if (completion === undefined || signal.aborted || counts.filesFailed > 0) return;
        const { documentsPerBatch } = settings;
        const afterPage = async (): Promise<void> => signal.throwIfAborted();
        const { embed } = embedding;
        const own = { builder, embed, documentsPerBatch, counts, afterPage };
        await removeUnlisted(completion.pages, own);
      })
      .catch(async (error: unknown) => {
        if (signal.aborted && error === signal.reason) return;
        await recordFailure(note);
        throw error;
      });
    await finishIndex(builder, { showStatus: display.status, signal });
    display.finish();
    printReport(await note.ended(signal.aborted ? 'interrupted' : 'done', counts), report);
    if (signal.aborted) {
      throw new VerbatimError('interrupted', 'interrupted; run the same command to resume');
    }
    assertAllRead(counts, { filesRead: tally.report().filesRead, strict: options.strict ?? false });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Keeps the lines of an interrupted build, which has left checkpoints. */
async function openLog(
  { skipped, settings }: AddToIndexOptions,
  builder: IndexBuilder,
): Promise<SkippedLog | undefined> {
  if (skipped === undefined) return undefined;
  const { skippedRecordCharactersMax: recordCharactersMax } = settings;
  const isGoingOn = (await builder.readCheckpoints()).length > 0;
  return openSkippedLog(skipped, { recordCharactersMax, isGoingOn });
}

/** Must not hide the failure itself: on a full disk, or without a database, no history can be written. */
async function recordFailure(note: BuildRecorder): Promise<void> {
  try {
    await note.ended('failed');
  } catch (error) {
    const isFault = error instanceof VerbatimError || faultOf(error) !== undefined;
    if (!isFault) throw error;
  }
}
