/** Waits for a state. */
import { setTimeout as wait } from 'node:timers/promises';

const INTERVAL_MS = 50;
const WAIT_MS_MAX = 120_000;

/** Thrown when the state will not come any more. */
export class Gone extends Error {}

/** Resolves when `isSo` is true. An error counts as false, but for `Gone`. Rejects after two minutes. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      if (await isSo()) return;
    } catch (error) {
      if (error instanceof Gone) throw error;
      last = error;
    }
    await wait(INTERVAL_MS);
  }
  throw new Error(`waited ${WAIT_MS_MAX / 1_000} seconds in vain until ${what}`, { cause: last });
}
