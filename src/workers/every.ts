/** Work that is repeated in the background. */

/**
 * Repeats `work` every `pauseMs`, never overlapping, and keeps no process alive. Returns the
 * function that stops it.
 */
export function every(pauseMs: number, work: () => Promise<void>): () => void {
  let isWorking = false;
  const timer = setInterval(() => {
    if (isWorking) return;
    isWorking = true;
    void work().finally(() => {
      isWorking = false;
    });
  }, pauseMs);
  timer.unref();
  return () => clearInterval(timer);
}
