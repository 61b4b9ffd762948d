/** Counts searches in flight, for each key and in all, and tells when the last one has ended. */

export interface Places {
  /** Takes a place of a key; undefined where the key has none left. Call the result to leave. */
  enterKey(key: number, most: number): (() => void) | undefined;
  /** Takes one of all places; undefined where none is left. Call the result to leave. */
  enter(): (() => void) | undefined;
  inFlight(): number;
  /** No place is given from now on. Resolves when all have been left, or after the wait. */
  drain(waitMs: number): Promise<void>;
}

export function createPlaces(inFlightMax: number): Places {
  const byKey = new Map<number, number>();
  let inFlight = 0;
  let onIdle: (() => void) | undefined;
  let isDraining = false;

  return {
    enterKey(key, most) {
      const taken = byKey.get(key) ?? 0;
      if (taken >= most) return undefined;
      byKey.set(key, taken + 1);
      return once(() => {
        const left = (byKey.get(key) ?? 1) - 1;
        if (left === 0) byKey.delete(key);
        else byKey.set(key, left);
      });
    },
    enter() {
      if (isDraining || inFlight >= inFlightMax) return undefined;
      inFlight++;
      return once(() => {
        inFlight--;
        if (inFlight === 0) onIdle?.();
      });
    },
    inFlight: () => inFlight,
    drain(waitMs) {
      isDraining = true;
      if (inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
