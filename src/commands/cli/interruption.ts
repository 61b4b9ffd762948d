/** Handles Ctrl-C in long commands. */
import type { ProgressDisplay } from './progress.ts';

export interface Interruption {
  signal: AbortSignal;
  stop: () => void;
}

/** The first Ctrl-C stops reading and saves pending documents; the second ends the process. */
export function listenForInterruption(display: ProgressDisplay): Interruption {
  const controller = new AbortController();
  const interrupt = (): void => {
    display.message('stopping after the current documents; press Ctrl-C again to stop at once');
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
