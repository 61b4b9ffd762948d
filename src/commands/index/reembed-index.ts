/** Moves an index to another model with progress and a report, for `index reembed`. */

import { openExistingStore } from '../../database/open.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { lockForServing } from '../../database/sqlite/process-lock.ts';
import { VerbatimError } from '../../errors.ts';
import {
  canStayOpen,
  openReembedding,
  type Reembedding,
} from '../../index/documents/reembedding.ts';
import { readTotals } from '../../index/index-facts.ts';
import { createSqliteBuilder } from '../../index/sqlite/sqlite-builder.ts';
import { reembed } from '../../ingest/reembed.ts';
import type { Settings } from '../../settings/config.ts';
import { openEmbedPool } from '../../text/embed/embed-pool.ts';
import { loadModel, type Model } from '../../text/embed/model.ts';
import { formatNumber } from '../../text/format-number.ts';
import { type Interruption, listenForInterruption } from '../cli/interruption.ts';
import { storeOptions } from '../cli/options.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from '../cli/progress.ts';
import { finishIndex } from './finish-index.ts';

export interface ReembedReport {
  /** The name of the new model. */
  model: string;
  documents: number;
  /** Documents that this run has embedded. */
  embedded: number;
  seconds: number;
}

/**
 * Throws `database_busy` if a server uses the database and its index cannot hold vectors of both
 * models, and `interrupted` after Ctrl-C. Running it again goes on.
 */
export async function reembedIndex(settings: Settings, json: boolean): Promise<ReembedReport> {
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const closing: (() => void)[] = [interruption.stop];
  try {
    const model = loadModel(settings.model);
    const db = openExistingStore(storeOptions(settings));
    closing.push(() => db.close());
    if (!canStayOpen(db, model)) closing.push(await lockForServing(settings.database));
    return await moveToModel(db, settings, { model, display, interruption });
  } catch (error) {
    throw namingFault(error, settings.database);
  } finally {
    for (const close of closing.reverse()) close();
  }
}

interface MoveOptions {
  model: Model;
  display: ProgressDisplay;
  interruption: Interruption;
}

async function moveToModel(
  db: Connection,
  settings: Settings,
  { model, display, interruption }: MoveOptions,
): Promise<ReembedReport> {
  const started = performance.now();
  const reembedding = openReembedding(db, model);
  let embedded = 0;
  if (reembedding !== undefined) {
    embedded = await embedAll(reembedding, settings, { display, signal: interruption.signal });
    if (interruption.signal.aborted) {
      throw new VerbatimError('interrupted', 'interrupted; run the same command to go on');
    }
    reembedding.finish();
  }
  await finishIndex(createSqliteBuilder(db), {
    showStatus: display.status,
    signal: interruption.signal,
  });
  display.finish();
  const { documents } = readTotals(db);
  const seconds = (performance.now() - started) / 1000;
  return { model: model.name, documents, embedded, seconds };
}

async function embedAll(
  reembedding: Reembedding,
  settings: Settings,
  { display, signal }: { display: ProgressDisplay; signal: AbortSignal },
): Promise<number> {
  const { documents, done } = reembedding.totals();
  if (done > 0) display.message(`going on after ${formatNumber(done)} documents`);
  const { embedThreads, documentsPerBatch } = settings;
  const batchesInFlightMax = embedThreads + 1;
  const pool = openEmbedPool(settings);
  const started = performance.now();
  try {
    return await reembed({
      reembedding,
      embed: pool.embed,
      documentsPerBatch,
      batchesInFlightMax,
      progress(written) {
        const rate = written / Math.max((performance.now() - started) / 1000, 0.001);
        const left = formatDuration((documents - done - written) / rate);
        display.status(
          `${formatNumber(done + written)} of ${formatNumber(documents)} documents  ` +
            `${formatNumber(Math.round(rate))}/s  ${left} left`,
        );
      },
      signal,
    });
  } finally {
    await pool.close();
  }
}
