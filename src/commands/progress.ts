/**
 * A build's progress on standard error: one line that is written over on a terminal, a plain line
 * now and then where the output goes to a file or a pipe.
 */
import type { BuildProgress } from '../ingest/build.ts';
import { formatBytes, formatNumber } from './output.ts';

const TERMINAL_INTERVAL_MS = 200;
const PLAIN_INTERVAL_MS = 10_000;
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

interface Sample {
  time: number;
  documents: number;
  bytes: number;
}

export function createProgressDisplay(
  output: NodeJS.WriteStream,
  { isQuiet }: { isQuiet: boolean },
): ProgressDisplay {
  const interval = output.isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
  let samples: Sample[] = [];
  let shownAt = performance.now();
  let line = '';
  const clear = (): void => {
    if (output.isTTY && line !== '') output.write('\r\u{1b}[K');
  };
  const isDue = (time: number): boolean => {
    if (isQuiet || time - shownAt < interval) return false;
    shownAt = time;
    return true;
  };
  const show = (text: string): void => {
    line = text;
    clear();
    output.write(output.isTTY ? line.slice(0, (output.columns ?? 80) - 1) : `${line}\n`);
  };
  return {
    update(progress) {
      const time = performance.now();
      if (!isDue(time)) return;
      const documents = progress.added + progress.updated + progress.unchanged;
      samples.push({ time, documents, bytes: progress.bytesRead });
      samples = samples.filter((sample) => time - sample.time <= RATE_WINDOW_MS);
      show(describe(progress, documents, samples));
    },
    status(text) {
      if (isDue(performance.now())) show(text);
    },
    message(text) {
      clear();
      output.write(`${text}\n`);
      if (output.isTTY) output.write(line);
    },
    finish() {
      clear();
      line = '';
    },
  };
}

function describe(progress: BuildProgress, documents: number, samples: readonly Sample[]): string {
  const first = samples[0];
  const last = samples.at(-1);
  const parts = [
    `${formatNumber(documents)} documents`,
    `${formatBytes(progress.bytesRead)} of ${formatBytes(progress.bytesTotal)}`,
  ];
  if (first !== undefined && last !== undefined && last.time > first.time) {
    const seconds = (last.time - first.time) / 1000;
    parts.push(`${formatNumber(Math.round((last.documents - first.documents) / seconds))}/s`);
    const bytesPerSecond = (last.bytes - first.bytes) / seconds;
    const bytesLeft = progress.bytesTotal - progress.bytesRead;
    if (bytesPerSecond > 0) parts.push(`${formatDuration(bytesLeft / bytesPerSecond)} left`);
  }
  if (progress.skipped > 0) parts.push(`${formatNumber(progress.skipped)} skipped`);
  return parts.join('  ');
}

/** Seconds as `45 s`, `12 min` or `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
