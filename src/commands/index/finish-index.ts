/** Finishes a build: makes the index fast to search, in short steps. */
import { setImmediate } from 'node:timers/promises';
import type { IndexBuilder } from '../../index/ports/index-builder.ts';

export interface FinishOptions {
  /** Called after each step. */
  showStatus: (text: string) => void;
  /** Stops after the current step. The index is consistent after each step. */
  signal: AbortSignal;
}

/** The next build finishes what is left after a stop. */
export async function finishIndex(
  builder: Pick<IndexBuilder, 'finish'>,
  { showStatus, signal }: FinishOptions,
): Promise<void> {
  if (signal.aborted) return;
  for await (const { what, share } of builder.finish()) {
    showStatus(`${what}  ${Math.floor(100 * share)} %`);
    // Lets Ctrl-C through.
    await setImmediate();
    if (signal.aborted) return;
  }
}
