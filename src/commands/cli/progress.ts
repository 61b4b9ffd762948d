/**
 * Shows the progress of long commands on standard error: one line that is overwritten on a terminal,
 * a plain line now and then in a file or a pipe, and JSON lines for programs.
 */

import type { BuildProgress } from '../../ingest/build.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { describeCounts } from './output.ts';

const TERMINAL_INTERVAL_MS = 200;
const PLAIN_INTERVAL_MS = 10_000;
/** Width assumed for a terminal that does not report one. */
const COLUMNS = 80;
/** The rate covers this window, because skipping known records is much faster than building. */
const RATE_WINDOW_MS = 15_000;

export interface ProgressDisplay {
  update(progress: BuildProgress): void;
  /** Shows the progress of another long step. */
  status(text: string): void;
  /** Prints a message above the progress line. */
  message(text: string): void;
  /** Removes the progress line. */
  finish(): void;
}

/** The speed of a build within the window. */
interface Rate {
  documentsPerSecond: number;
  /** Undefined if the size of an input is not known. */
  secondsLeft: number | undefined;
}

/** The format `none` shows messages only. */
export function createProgressDisplay(
  output: NodeJS.WriteStream,
  { format }: { format: 'text' | 'json' | 'none' },
): ProgressDisplay {
  const isWrittenOver = output.isTTY && format === 'text';
  const interval = isWrittenOver ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
  const rateNow = createRate();
  let shownAt = performance.now();
  let line = '';
  const clear = (): void => {
    if (isWrittenOver && line !== '') output.write('\r\u{1b}[K');
  };
  const isDue = (time: number): boolean => {
    if (format === 'none' || time - shownAt < interval) return false;
    shownAt = time;
    return true;
  };
  const show = (text: string): void => {
    clear();
    // A wrapped line could not be overwritten.
    line = isWrittenOver ? text.slice(0, (output.columns || COLUMNS) - 1) : `${text}\n`;
    output.write(line);
  };
  return {
    update(progress) {
      const time = performance.now();
      if (!isDue(time)) return;
      const rate = rateNow(progress, time);
      show(
        format === 'json'
          ? JSON.stringify({ progress: { ...progress, ...rate } })
          : describe(progress, rate),
      );
    },
    status(text) {
      if (isDue(performance.now()))
        show(format === 'json' ? JSON.stringify({ status: text }) : text);
    },
    message(text) {
      clear();
      output.write(`${text}\n`);
      if (isWrittenOver) output.write(line);
    },
    finish() {
      clear();
      line = '';
    },
  };
}

/** Records that created, changed, or confirmed a document. */
function documentsOf({ added, updated, merged, unchanged, resumed }: BuildProgress): number {
  return added + updated + merged + unchanged + resumed;
}

function createRate(): (progress: BuildProgress, time: number) => Rate | undefined {
  let samples: { time: number; documents: number; bytes: number }[] = [];
  return (progress, time) => {
    const last = { time, documents: documentsOf(progress), bytes: progress.bytesRead };
    // The previous sample always stays, even if a slow batch puts it outside the window.
    const recent = samples.slice(0, -1).filter((one) => time - one.time <= RATE_WINDOW_MS);
    samples = [...recent, ...samples.slice(-1), last];
    const [first = last] = samples;
    if (last.time === first.time) return undefined;
    const seconds = (last.time - first.time) / 1000;
    const bytesPerSecond = (last.bytes - first.bytes) / seconds;
    const bytesLeft = progress.bytesTotal - progress.bytesRead;
    return {
      documentsPerSecond: Math.round((last.documents - first.documents) / seconds),
      secondsLeft:
        progress.bytesTotal > 0 && bytesPerSecond > 0
          ? Math.ceil(bytesLeft / bytesPerSecond)
          : undefined,
    };
  };
}

function describe(progress: BuildProgress, rate: Rate | undefined): string {
  const { bytesRead, bytesTotal, skipped, skippedBy } = progress;
  const total = bytesTotal > 0 ? ` of ${formatBytes(bytesTotal)}` : '';
  const documents = documentsOf(progress);
  const parts = documents > 0 ? [`${formatNumber(documents)} documents`] : [];
  parts.push(`${formatBytes(bytesRead)}${total}`);
  const { documentsPerSecond = 0, secondsLeft } = rate ?? {};
  if (documentsPerSecond > 0) parts.push(`${formatNumber(documentsPerSecond)}/s`);
  if (secondsLeft !== undefined) parts.push(`${formatDuration(secondsLeft)} left`);
  if (skipped > 0) {
    parts.push(`${formatNumber(skipped)} skipped (${describeCounts(skippedBy)})`);
  }
  return parts.join('  ');
}

/** Seconds as `45 s`, `12 min`, `3 h 20 min`, or `5 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}
