/** Does the same work for many items, some at a time. */

export interface ParallelOptions {
  /** Items that are worked on at the same time. */
  most: number;
  signal: AbortSignal;
}

/**
 * Resolves when the work for all items is done. Otherwise it lets the work that has begun end, begins no
 * more, and throws what was thrown first. `lane` counts from 0 to `most - 1`: two items at the same
 * time have different ones.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  { most, signal }: ParallelOptions,
  work: (item: Item, lane: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const iterator = items[Symbol.iterator]();
  const runLane = async (lane: number): Promise<void> => {
    try {
      for (let next = iterator.next(); !next.done; next = iterator.next()) {
        either.throwIfAborted();
        await work(next.value, lane, either);
      }
    } catch (error) {
      failure.abort(error);
    }
  };
  await Promise.all(Array.from({ length: most }, (_, lane) => runLane(lane)));
  failure.signal.throwIfAborted();
}
