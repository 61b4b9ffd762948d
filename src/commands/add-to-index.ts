/** Adds files to the index: what `index add`, `start` and `eval` do, with progress and a report. */
import type { Settings } from '../config.ts';
import { deviceNamed } from '../embed/device.ts';
import { loadModel, type Model } from '../embed/model.ts';
import { VerbatimError } from '../errors.ts';
import { type BuildListener, build } from '../ingest/build.ts';
import { type BuildCounts, noCounts } from '../ingest/build-counts.ts';
import { formatNamed } from '../ingest/formats.ts';
import { type Embed, usePrecomputed } from '../ingest/precomputed.ts';
import { excluding } from '../ingest/read/exclude.ts';
import { listFiles } from '../ingest/read/list-files.ts';
import { type BuildOutcome, startBuild } from '../store/builds.ts';
import { createCheckpointTable } from '../store/checkpoints.ts';
import { faultOf, namingFault } from '../store/faults.ts';
import { claimModel } from '../store/index-facts.ts';
import { createIndexWriter } from '../store/index-writer.ts';
import type { Store } from '../store/open.ts';
import { openVectors } from '../store/vector-file.ts';
import { createEmbedPool } from '../workers/embed-pool.ts';
import { arrangeIndex } from './arrange-index.ts';
import { assertWhole } from './assert-whole.ts';
import { type BuildReport, printReport, type ReportFormat, reportOf } from './build-report.ts';
import { createFileTally, type FileTally } from './file-tally.ts';
import { createInputMessages } from './input-messages.ts';
import { listenForInterruption } from './interruption.ts';
import { openOrCreateStore } from './options.ts';
import { formatNumber, printable } from './output.ts';
import { createProgressDisplay, type ProgressDisplay } from './progress.ts';

export interface AddToIndexOptions {
  settings: Settings;
  format?: string | undefined;
  /** A file of vectors. */
  embeddings?: string | undefined;
  /** How the counts are printed. */
  report: ReportFormat;
  /** Fails where a file was passed over, too. */
  strict?: boolean | undefined;
  /** Patterns of files and folders that are left out. */
  exclude?: readonly string[];
}

/**
 * Builds, shows progress and prints the result. Throws `interrupted` after Ctrl-C,
 * `unreadable_input` where a file could not be read to its end, and with `strict` also where one
 * was passed over.
 */
export async function addToIndex(paths: string[], options: AddToIndexOptions): Promise<void> {
  const { settings, report } = options;
  const format = options.format === undefined ? undefined : formatNamed(options.format);
  const files = await listFiles(paths, excluding(options.exclude ?? []));
  const model = loadModel(settings.model);
  const display = createProgressDisplay(process.stderr, {
    format: report === 'line' ? 'text' : report,
  });
  const db = openOrCreateStore(settings, display.message);
  const interruption = listenForInterruption(display);
  const batchesInFlightMax = settings.embedThreads + 1;
  const closing: (() => unknown)[] = [() => db.close(), interruption.stop];
  try {
    claimModel(db, model);
    const embedding = openEmbedding(options, { model, queueMax: batchesInFlightMax + 1 });
    closing.push(embedding.close);
    const paths = files.filter((file) => !('passedOver' in file)).map(({ path }) => path);
    const tally = createFileTally();
    const note = noteBuild(db, { files: paths, tally, precomputed: embedding.taken });
    const counts = await build({
      ...{ files, format, batchesInFlightMax, limits: settings },
      writer: createIndexWriter(db),
      checkpoints: createCheckpointTable(db),
      embed: embedding.embed,
      listener: createListener(display, {
        ...{ problemsShownMax: settings.problemsShownMax, note, tally },
        isBrief: report === 'line',
      }),
      signal: interruption.signal,
    }).catch((error: unknown) => {
      noteFailure(note);
      throw error;
    });
    await arrangeIndex(db, { showStatus: display.status, signal: interruption.signal });
    display.finish();
    const outcome = interruption.signal.aborted ? 'interrupted' : 'done';
    printReport(note.ended(outcome, counts), report);
    if (interruption.signal.aborted) {
      throw new VerbatimError('interrupted', 'interrupted; the same command goes on from here');
    }
    assertWhole(counts, { files: paths.length, strict: options.strict ?? false });
  } catch (error) {
    throw namingFault(error, settings.database);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** The failure itself is what counts: where the disk is full, the note cannot be written either. */
function noteFailure(note: BuildNote): void {
  try {
    note.ended('failed');
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
  }
}

interface Embedding {
  embed: Embed;
  /** Vectors that came from the file; undefined where there is none. */
  taken(): number | undefined;
  close(): Promise<void>;
}

/** Threads that embed, and the file of vectors if one is given. */
function openEmbedding(
  { settings, embeddings }: AddToIndexOptions,
  { model, queueMax }: { model: Model; queueMax: number },
): Embedding {
  const device = deviceNamed(settings.embedDevice);
  const file = embeddings === undefined ? undefined : openVectors(embeddings, model);
  const pool = createEmbedPool({
    ...{ model: settings.model, device, threads: settings.embedThreads, queueMax },
  });
  const embed: Embed = (texts) => pool.embed(texts);
  const { path, find } = { path: embeddings ?? '', find: file?.find ?? (() => undefined) };
  const precomputed = usePrecomputed({ path, find, embed });
  return {
    embed: file === undefined ? embed : precomputed.embed,
    taken: () => (file === undefined ? undefined : precomputed.taken()),
    async close() {
      await pool.close();
      file?.close();
    },
  };
}

interface BuildNote {
  /** What a build that fails has done so far. */
  progress(counts: BuildCounts): void;
  /** Keeps the report and returns it. */
  ended(outcome: BuildOutcome, counts?: BuildCounts): BuildReport;
}

/** Notes the build in the index: also one that is killed has a line in its history. */
function noteBuild(
  db: Store,
  {
    files,
    tally,
    precomputed,
  }: { files: readonly string[]; tally: FileTally; precomputed: () => number | undefined },
): BuildNote {
  const started = performance.now();
  let last = noCounts();
  const reportNow = (counts: BuildCounts): BuildReport =>
    reportOf(counts, {
      ...{ seconds: (performance.now() - started) / 1000, files, precomputed: precomputed() },
      fileReport: tally.report(),
    });
  const end = startBuild(db, reportNow(last));
  return {
    progress(counts) {
      last = counts;
    },
    ended(outcome, counts = last) {
      const made = reportNow(counts);
      end(outcome, made);
      return made;
    },
  };
}

interface ListenerOptions {
  problemsShownMax: number;
  note: BuildNote;
  tally: FileTally;
  /** Names no file that is read without a problem. */
  isBrief: boolean;
}

/** Prints the first problems of each file; the rest is in the counts. */
function createListener(
  display: ProgressDisplay,
  { problemsShownMax, note, tally, isBrief }: ListenerOptions,
): BuildListener {
  let shown = 0;
  const messages = createInputMessages(display.message, problemsShownMax);
  return {
    fileStarted(path, format, { entries, isDone }) {
      shown = 0;
      tally.started(path);
      if (isBrief) return;
      const before = `${formatNumber(entries)} records were dealt with before the interruption`;
      if (isDone) display.message(`passing over ${path} (${format}): all its ${before}`);
      else if (entries > 0) display.message(`reading ${path} (${format}): ${before}`);
      else display.message(`reading ${path} (${format})`);
    },
    passedOver(input) {
      tally.passedOver(input);
      messages.passedOver(input);
    },
    fileFailed(path, error) {
      tally.failed(path, error);
      messages.fileFailed(error);
    },
    skipped({ path, line, problem }) {
      shown++;
      if (shown <= problemsShownMax) {
        display.message(`${path}:${line}: skipped: ${printable(problem)}`);
      } else if (shown === problemsShownMax + 1) {
        display.message(`${path}: further bad records are only counted`);
      }
    },
    progress({ bytesRead, bytesTotal, ...counts }) {
      note.progress(counts);
      if (isBrief) display.status('indexing, which takes some seconds');
      else display.update({ ...counts, bytesRead, bytesTotal });
    },
  };
}
