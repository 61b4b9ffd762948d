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
  return limiter.acquire() ?? expect.fail('there is no permit');
}

describe('permits of a key', () => {
  it('grants as many permits as allowed, and again after a release', () => {
    const limiter = createConcurrencyLimiter(100, { permitMsMax: PERMIT_MS_MAX });
    const release = limiter.acquireForKey(1, 2);
    expect(release).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeUndefined();
    release?.();
    expect(limiter.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeUndefined();
  });

  it('counts the permits of each key separately from the total', () => {
    const limiter = createConcurrencyLimiter(1, { permitMsMax: PERMIT_MS_MAX });
    expect(limiter.acquireForKey(1, 1)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 1)).toBeUndefined();
    expect(limiter.acquireForKey(2, 1)).toBeTypeOf('function');
    expect(limiter.inFlight()).toBe(0);
  });

  it('releases a permit only once', () => {
    const limiter = createConcurrencyLimiter(1, { permitMsMax: PERMIT_MS_MAX });
    const release = limiter.acquireForKey(1, 2);
    limiter.acquireForKey(1, 2);
    release?.();
    release?.();
    expect(limiter.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(limiter.acquireForKey(1, 2)).toBeUndefined();
  });
});

describe('permits in total', () => {
  it('grants as many permits as allowed, and releases each only once', () => {
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

  it('counts correctly through any sequence of acquire and release', () => {
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

describe('the estimated wait for a permit', () => {
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

  it('is the minimum of one second if no permit is held', () => {
    const limiter = create(1);
    expect([limiter.waitSeconds(), limiter.keyWaitSeconds(1)]).toEqual([1, 1]);
  });

  it('is the recent duration of permits, minus the age of the oldest one', () => {
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

  it('is the age of the oldest permit if none lasted longer, up to the maximum', () => {
    const limiter = create(2);
    permit(limiter, 20);
    acquire(limiter);
    const waits = [10, 1_000, 4_000, 10_000, 13_000, 16_000].map((age) => {
      time = 20 + age;
      return limiter.waitSeconds();
    });
    expect(waits).toEqual([1, 1, 4, 5, 2, 1]);
  });

  it('follows the next permit after the oldest is released', () => {
    const limiter = create(2);
    const release = limiter.acquireForKey(1, 2);
    time += 3_000;
    limiter.acquireForKey(1, 2);
    expect(limiter.keyWaitSeconds(1)).toBe(3);
    release?.();
    expect(limiter.keyWaitSeconds(1)).toBe(3);
    expect(limiter.keyWaitSeconds(2)).toBe(1);
  });

  it('forgets old durations', () => {
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

  it('ends at once if nothing is in flight', async () => {
    expect(await startDrain(createConcurrencyLimiter(1, { permitMsMax: PERMIT_MS_MAX }))()).toBe(
      true,
    );
  });

  it('ends when the last permit is released, and grants none from then on', async () => {
    const limiter = createConcurrencyLimiter(10, { permitMsMax: PERMIT_MS_MAX });
    const first = acquire(limiter);
    const isOver = startDrain(limiter);
    const second = acquire(limiter);
    first();
    expect(await isOver()).toBe(false);
    second();
    expect(await isOver()).toBe(true);
    expect(limiter.acquire()).toBeUndefined();
  });

  it('ends after the wait even if a permit is still held', async () => {
    const limiter = createConcurrencyLimiter(10, { permitMsMax: PERMIT_MS_MAX });
    acquire(limiter);
    const isOver = startDrain(limiter);
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    expect(await isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver()).toBe(true);
  });
});
