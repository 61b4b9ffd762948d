/** The limiter of searches in flight. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
} from '../../src/http/concurrency-limiter.ts';

const WAIT_MS = 1_000;
const PERMIT_MS_MAX = 15_000;

/** Takes a place that must be free. */
function acquire(limiter: ConcurrencyLimiter): () => void {
  return limiter.acquire() ?? expect.fail('there is no place');
}

describe("a key's places", () => {
  it('are as many as are allowed, and each is free again when it is left', () => {
    const limiter = createConcurrencyLimiter(100, { permitMsMax: PERMIT_MS_MAX });
    const release = limiter.acquireForKey(1, 2);
    expect(release).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeUndefined();
    release?.();
    expect(limiter.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeUndefined();
  });

  it('are its own, and none of all places', () => {
    const limiter = createConcurrencyLimiter(1, { permitMsMax: PERMIT_MS_MAX });
    expect(limiter.acquireForKey(1, 1)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 1)).toBeUndefined();
    expect(limiter.acquireForKey(2, 1)).toBeTypeOf('function');
    expect(limiter.inFlight()).toBe(0);
  });

  it('are left once, however often that is said', () => {
    const limiter = createConcurrencyLimiter(1, { permitMsMax: PERMIT_MS_MAX });
    const release = limiter.acquireForKey(1, 2);
    limiter.acquireForKey(1, 2);
    release?.();
    release?.();
    expect(limiter.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeUndefined();
  });
});

describe('all places', () => {
  it('are as many as there are, each free again when it is left, once', () => {
    const limiter = createConcurrencyLimiter(2, { permitMsMax: PERMIT_MS_MAX });
    const release = acquire(limiter);
    acquire(limiter);
    expect(limiter.acquire()).toBeUndefined();
    release();
    release();
    expect(limiter.inFlight()).toBe(1);
    acquire(limiter);
    expect(limiter.acquire()).toBeUndefined();
  });

  it('are counted right, whatever comes and goes', () => {
    const steps = fc.array(fc.record({ enters: fc.boolean(), which: fc.nat(20) }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (most, all) => {
        const limiter = createConcurrencyLimiter(most, { permitMsMax: PERMIT_MS_MAX });
        const taken: (() => void)[] = [];
        for (const { enters, which } of all) {
          if (enters) {
            const release = limiter.acquire();
            expect(release === undefined).toBe(taken.length === most);
            if (release !== undefined) taken.push(release);
          } else taken.splice(which % Math.max(1, taken.length), 1)[0]?.();
          expect(limiter.inFlight()).toBe(taken.length);
        }
      }),
    );
  });
});

describe('the wait for a place', () => {
  let time = 0;
  const create = (inFlightMax: number): ConcurrencyLimiter => {
    time = 0;
    return createConcurrencyLimiter(inFlightMax, { permitMsMax: PERMIT_MS_MAX, now: () => time });
  };
  /** Somebody takes a place for so long. */
  const permit = (limiter: ConcurrencyLimiter, forMs: number): void => {
    const releases = [acquire(limiter), limiter.acquireForKey(1, 100)];
    time += forMs;
    for (const release of releases) release?.();
  };

  it('is none where no place is taken', () => {
    const limiter = create(1);
    expect([limiter.waitSeconds(), limiter.keyWaitSeconds(1)]).toEqual([1, 1]);
  });

  it('is what stays have lasted lately, less the age of the oldest', () => {
    const limiter = create(3);
    for (const forMs of [2_000, 9_000, 9_000, 9_000]) permit(limiter, forMs);
    acquire(limiter);
    limiter.acquireForKey(1, 2);
    time += 1_500;
    acquire(limiter);
    limiter.acquireForKey(1, 2);
    expect([limiter.waitSeconds(), limiter.keyWaitSeconds(1)]).toEqual([8, 8]);
    time += 6_000;
    expect([limiter.waitSeconds(), limiter.keyWaitSeconds(1)]).toEqual([2, 2]);
  });

  it('is the age of the oldest where none has lasted so long, up to the longest stay', () => {
    const limiter = create(2);
    permit(limiter, 20);
    acquire(limiter);
    const waits = [10, 1_000, 4_000, 10_000, 13_000, 16_000].map((age) => {
      time = 20 + age;
      return limiter.waitSeconds();
    });
    expect(waits).toEqual([1, 1, 4, 5, 2, 1]);
  });

  it('is that of the search that came next when the oldest has left', () => {
    const limiter = create(2);
    const release = limiter.acquireForKey(1, 2);
    time += 3_000;
    limiter.acquireForKey(1, 2);
    expect(limiter.keyWaitSeconds(1)).toBe(3);
    release?.();
    expect(limiter.keyWaitSeconds(1)).toBe(3);
    expect(limiter.keyWaitSeconds(2)).toBe(1);
  });

  it('forgets stays of long ago', () => {
    const limiter = create(1);
    for (let i = 0; i < 100; i++) permit(limiter, 9_000);
    for (let i = 0; i < 100; i++) permit(limiter, 10);
    acquire(limiter);
    expect(limiter.waitSeconds()).toBe(1);
  });
});

describe('a drain', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Starts a drain; tells whether it has ended. */
  function startDrain(limiter: ConcurrencyLimiter): () => Promise<boolean> {
    let isOver = false;
    void limiter.drain(WAIT_MS).then(() => {
      isOver = true;
    });
    return async () => {
      await vi.advanceTimersByTimeAsync(0);
      return isOver;
    };
  }

  it('is over at once where nothing is in flight', async () => {
    expect(await startDrain(createConcurrencyLimiter(1, { permitMsMax: PERMIT_MS_MAX }))()).toBe(
      true,
    );
  });

  it('is over when the last place is left, and gives none meanwhile', async () => {
    const limiter = createConcurrencyLimiter(10, { permitMsMax: PERMIT_MS_MAX });
    const releases = [acquire(limiter), acquire(limiter)];
    const isOver = startDrain(limiter);
    expect(limiter.acquire()).toBeUndefined();
    releases[0]?.();
    expect(await isOver()).toBe(false);
    releases[1]?.();
    expect(await isOver()).toBe(true);
    expect(limiter.acquire()).toBeUndefined();
  });

  it('is over after the wait, though a place is not left', async () => {
    const limiter = createConcurrencyLimiter(10, { permitMsMax: PERMIT_MS_MAX });
    acquire(limiter);
    const isOver = startDrain(limiter);
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    expect(await isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver()).toBe(true);
  });
});
