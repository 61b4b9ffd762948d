/**
 * Progress of what takes long, on standard error: one line that is written over on a terminal, a
 * plain line now and then where the output goes to a file or a pipe, and one of JSON for programs.
 */
import type { BuildProgress } from '../ingest/build.ts';
import { describeCounts, formatBytes, formatNumber } from './output.ts';

const TERMINAL_INTERVAL_MS = 200;
const PLAIN_INTERVAL_MS = 10_000;
/** Of a terminal that does not tell. */
const COLUMNS = 80;
/** The rate is that of this last while: passing over what is known is much faster than building. */
const RATE_WINDOW_MS = 15_000;

export interface ProgressDisplay {
  update(progress: BuildProgress): void;
  /** Shows how far another step is that takes a while. */
  status(text: string): void;
  /** Prints a line of its own, and the progress below it. */
  message(text: string): void;
  /** Takes the progress line away. */
  finish(): void;
}

/** How fast a build is, over the last while. */
interface Rate {
  documentsPerSecond: number;
  /** Undefined where the size of an input is not known. */
  secondsLeft: number | undefined;
}

/** `none` shows messages only. */
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
    // A line that wrapped could not be written over.
    line = isWrittenOver ? text.slice(0, (output.columns || COLUMNS) - 1) : `${text}\n`;
    clear();
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

/** Records that made, changed or confirmed a document. */
function documentsOf({ added, updated, merged, unchanged, resumed }: BuildProgress): number {
  return added + updated + merged + unchanged + resumed;
}

function createRate(): (progress: BuildProgress, time: number) => Rate | undefined {
  let samples: { time: number; documents: number; bytes: number }[] = [];
  return (progress, time) => {
    const last = { time, documents: documentsOf(progress), bytes: progress.bytesRead };
    // The one before always stays: it may be longer ago, where a batch took its time.
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
  const parts = [
    `${formatNumber(documentsOf(progress))} documents`,
    `${formatBytes(bytesRead)}${total}`,
  ];
  if (rate !== undefined) {
    parts.push(`${formatNumber(rate.documentsPerSecond)}/s`);
    if (rate.secondsLeft !== undefined) parts.push(`${formatDuration(rate.secondsLeft)} left`);
  }
  if (skipped > 0) {
    parts.push(`${formatNumber(skipped)} skipped (${describeCounts(skippedBy)})`);
  }
  return parts.join('  ');
}

/** Seconds as `45 s`, `12 min` or `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
