/** Moves an index to another model with progress and a report, for `index reembed`. */

import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openExistingStore } from '../../database/open.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { VerbatimError } from '../../errors.ts';
import { assertRoom } from '../../index/assert-room.ts';
import { bytesOfNextVectors, removeLeftVectors } from '../../index/documents/next-vectors.ts';
import type { Reembedding } from '../../index/documents/reembedded-documents.ts';
import { openReembedding } from '../../index/documents/reembedding.ts';
import { earlierModelOf, readTotals } from '../../index/index-facts.ts';
import { createSqliteBuilder } from '../../index/sqlite/sqlite-builder.ts';
import { checkNewVectors } from '../../ingest/check-new-vectors.ts';
import type { Embed } from '../../ingest/precomputed.ts';
import { reembed } from '../../ingest/reembed.ts';
import { type Calibration, calibrateIndex } from '../../search/eval/calibration.ts';
import type { Settings } from '../../settings/config.ts';
import { loadModel, type Model } from '../../text/embed/model.ts';
import { formatNumber } from '../../text/format-number.ts';
import { type Interruption, listenForInterruption } from '../cli/interruption.ts';
import { storeOptions } from '../cli/options.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from '../cli/progress.ts';
import { openEmbedPool } from './embed-pool.ts';
import { finishIndex } from './finish-index.ts';
import { openEmbedding } from './open-embedding.ts';

export interface ReembedReport {
  /** The name of the new model. */
  model: string;
  documents: number;
  /** Documents that this run has embedded. */
  embedded: number;
  seconds: number;
  /** The threshold of the lanes; absent if nothing was embedded, or the index has no titles. */
  calibration?: Calibration;
}

/** What remains free beside the new vectors: a full disk would stop a server, too. */
const FREE_BYTES_MIN = 256 * 1024 * 1024;
/** Between two tries to change over while a build adds documents. */
const BUILD_WAIT_MS = 2_000;

/** Throws `interrupted` after Ctrl-C. Running it again goes on. */
export async function reembedIndex(
  settings: Settings,
  { json, embeddings }: { json: boolean; embeddings?: readonly string[] | undefined },
): Promise<ReembedReport> {
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const closing: (() => unknown)[] = [interruption.stop];
  try {
    const model = loadModel(settings.model);
    const db = openExistingStore(storeOptions(settings));
    closing.push(() => db.close());
    const embedding = openEmbedding(settings, embeddings);
    closing.push(embedding.close);
    const { embed } = embedding;
    return await moveToModel(db, settings, { model, embed, display, interruption });
  } catch (error) {
    throw namingFault(error, settings.database);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface MoveOptions {
  model: Model;
  embed: Embed;
  display: ProgressDisplay;
  interruption: Interruption;
}

async function moveToModel(
  db: Connection,
  settings: Settings,
  { model, embed, display, interruption: { signal } }: MoveOptions,
): Promise<ReembedReport> {
  const started = performance.now();
  if (earlierModelOf(db, model) === undefined) {
    const bytes = bytesOfNextVectors(db, model) + FREE_BYTES_MIN;
    assertRoom(dirname(resolve(settings.database)), bytes);
  }
  const folder = settings.model === '' ? '' : resolve(settings.model);
  const reembedding = openReembedding(db, { ...model, folder });
  let embedded = 0;
  while (reembedding !== undefined) {
    embedded += await embedAll(reembedding, settings, { embed, display, signal });
    if (signal.aborted) {
      throw new VerbatimError('interrupted', 'interrupted; run the same command to go on');
    }
    const end = reembedding.prepareEnd();
    await checkSample(reembedding, settings);
    if (end()) break;
    display.status('waiting for a build to pause');
    await setTimeout(BUILD_WAIT_MS);
  }
  display.status('removing the old vectors');
  removeLeftVectors(db);
  await finishIndex(createSqliteBuilder(db), { showStatus: display.status, signal });
  display.finish();
  const { documents } = readTotals(db);
  const seconds = (performance.now() - started) / 1000;
  const report = { model: model.name, documents, embedded, seconds };
  if (embedded === 0 || signal.aborted) return report;
  try {
    // Not the copies that searches may read.
    const store = { ...storeOptions(settings), copies: '' };
    return {
      ...report,
      calibration: await calibrateIndex({ store, model: settings.model, limits: settings }),
    };
  } catch (error) {
    if (error instanceof VerbatimError && error.code === 'no_documents') return report;
    throw error;
  }
}

/** Embeds some documents again, on this machine. Gives vectors up that are others. */
async function checkSample(reembedding: Reembedding, settings: Settings): Promise<void> {
  const pool = openEmbedPool(settings);
  try {
    await checkNewVectors(reembedding, pool.embed);
  } catch (error) {
    if (error instanceof VerbatimError && error.code === 'verify_failed') reembedding.drop();
    throw error;
  } finally {
    await pool.close();
  }
}

interface EmbedOptions {
  embed: Embed;
  display: ProgressDisplay;
  signal: AbortSignal;
}

async function embedAll(
  reembedding: Reembedding,
  settings: Settings,
  { embed, display, signal }: EmbedOptions,
): Promise<number> {
  const { documents, done } = reembedding.totals();
  if (done > 0 && done < documents) {
    display.message(`going on after ${formatNumber(done)} documents`);
  }
  const { embedThreads, documentsPerBatch } = settings;
  const started = performance.now();
  return await reembed({
    reembedding,
    embed,
    documentsPerBatch,
    batchesInFlightMax: embedThreads + 1,
    progress(written) {
      const rate = written / Math.max((performance.now() - started) / 1000, 0.001);
      const left = formatDuration(Math.max(0, documents - done - written) / rate);
      display.status(
        `${formatNumber(done + written)} of ${formatNumber(documents)} documents  ` +
          `${formatNumber(Math.round(rate))}/s  ${left} left`,
      );
    },
    signal,
  });
}
