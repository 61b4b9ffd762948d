/** Handles Ctrl-C in long commands, and the end of a server that has started one. */
import type { ProgressDisplay } from './progress.ts';

export interface Interruption {
  signal: AbortSignal;
  stop: () => void;
}

const AFTER_DOCUMENTS = 'stopping after the current documents; press Ctrl-C again to stop at once';

/** The first Ctrl-C shows the message and aborts the signal; the second ends the process. */
export function listenForInterruption(
  display: ProgressDisplay,
  message = AFTER_DOCUMENTS,
): Interruption {
  const controller = new AbortController();
  const interrupt = (): void => {
    display.message(message);
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.once(name, interrupt);
  // Only a server gives a channel. It breaks when the server ends.
  process.once('disconnect', interrupt);
  // The server has ended already.
  if (process.connected === false) interrupt();
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of names) process.removeListener(name, interrupt);
      process.removeListener('disconnect', interrupt);
    },
  };
}
