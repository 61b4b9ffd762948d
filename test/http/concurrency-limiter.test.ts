/** The places of searches in flight. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
} from '../../src/http/concurrency-limiter.ts';

const WAIT_MS = 1_000;
const STAY_MS_MAX = 15_000;

/** Takes a place that must be free. */
function enter(places: ConcurrencyLimiter): () => void {
  return places.acquire() ?? expect.fail('there is no place');
}

describe("a key's places", () => {
  it('are as many as are allowed, and each is free again when it is left', () => {
    const places = createConcurrencyLimiter(100, { stayMsMax: STAY_MS_MAX });
    const leave = places.acquireForKey(1, 2);
    expect(leave).toBeTypeOf('function');
    expect(places.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(places.acquireForKey(1, 2)).toBeUndefined();
    leave?.();
    expect(places.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(places.acquireForKey(1, 2)).toBeUndefined();
  });

  it('are its own, and none of all places', () => {
    const places = createConcurrencyLimiter(1, { stayMsMax: STAY_MS_MAX });
    expect(places.acquireForKey(1, 1)).toBeTypeOf('function');
    expect(places.acquireForKey(1, 1)).toBeUndefined();
    expect(places.acquireForKey(2, 1)).toBeTypeOf('function');
    expect(places.inFlight()).toBe(0);
  });

  it('are left once, however often that is said', () => {
    const places = createConcurrencyLimiter(1, { stayMsMax: STAY_MS_MAX });
    const leave = places.acquireForKey(1, 2);
    places.acquireForKey(1, 2);
    leave?.();
    leave?.();
    expect(places.acquireForKey(1, 2)).toBeTypeOf('function');
    expect(places.acquireForKey(1, 2)).toBeUndefined();
  });
});

describe('all places', () => {
  it('are as many as there are, each free again when it is left, once', () => {
    const places = createConcurrencyLimiter(2, { stayMsMax: STAY_MS_MAX });
    const leave = enter(places);
    enter(places);
    expect(places.acquire()).toBeUndefined();
    leave();
    leave();
    expect(places.inFlight()).toBe(1);
    enter(places);
    expect(places.acquire()).toBeUndefined();
  });

  it('are counted right, whatever comes and goes', () => {
    const steps = fc.array(fc.record({ enters: fc.boolean(), which: fc.nat(20) }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (most, all) => {
        const places = createConcurrencyLimiter(most, { stayMsMax: STAY_MS_MAX });
        const taken: (() => void)[] = [];
        for (const { enters, which } of all) {
          if (enters) {
            const leave = places.acquire();
            expect(leave === undefined).toBe(taken.length === most);
            if (leave !== undefined) taken.push(leave);
          } else taken.splice(which % Math.max(1, taken.length), 1)[0]?.();
          expect(places.inFlight()).toBe(taken.length);
        }
      }),
    );
  });
});

describe('the wait for a place', () => {
  let time = 0;
  const create = (inFlightMax: number): ConcurrencyLimiter => {
    time = 0;
    return createConcurrencyLimiter(inFlightMax, { stayMsMax: STAY_MS_MAX, now: () => time });
  };
  /** Somebody takes a place for so long. */
  const stay = (places: ConcurrencyLimiter, forMs: number): void => {
    const leaves = [enter(places), places.acquireForKey(1, 100)];
    time += forMs;
    for (const leave of leaves) leave?.();
  };

  it('is none where no place is taken', () => {
    const places = create(1);
    expect([places.waitSeconds(), places.keyWaitSeconds(1)]).toEqual([1, 1]);
  });

  it('is what stays have lasted lately, less the age of the oldest', () => {
    const places = create(3);
    for (const forMs of [2_000, 9_000, 9_000, 9_000]) stay(places, forMs);
    enter(places);
    places.acquireForKey(1, 2);
    time += 1_500;
    enter(places);
    places.acquireForKey(1, 2);
    expect([places.waitSeconds(), places.keyWaitSeconds(1)]).toEqual([8, 8]);
    time += 6_000;
    expect([places.waitSeconds(), places.keyWaitSeconds(1)]).toEqual([2, 2]);
  });

  it('is the age of the oldest where none has lasted so long, up to the longest stay', () => {
    const places = create(2);
    stay(places, 20);
    enter(places);
    const waits = [10, 1_000, 4_000, 10_000, 13_000, 16_000].map((age) => {
      time = 20 + age;
      return places.waitSeconds();
    });
    expect(waits).toEqual([1, 1, 4, 5, 2, 1]);
  });

  it('is that of the search that came next when the oldest has left', () => {
    const places = create(2);
    const leave = places.acquireForKey(1, 2);
    time += 3_000;
    places.acquireForKey(1, 2);
    expect(places.keyWaitSeconds(1)).toBe(3);
    leave?.();
    expect(places.keyWaitSeconds(1)).toBe(3);
    expect(places.keyWaitSeconds(2)).toBe(1);
  });

  it('forgets stays of long ago', () => {
    const places = create(1);
    for (let i = 0; i < 100; i++) stay(places, 9_000);
    for (let i = 0; i < 100; i++) stay(places, 10);
    enter(places);
    expect(places.waitSeconds()).toBe(1);
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
  function startDrain(places: ConcurrencyLimiter): () => Promise<boolean> {
    let isOver = false;
    void places.drain(WAIT_MS).then(() => {
      isOver = true;
    });
    return async () => {
      await vi.advanceTimersByTimeAsync(0);
      return isOver;
    };
  }

  it('is over at once where nothing is in flight', async () => {
    expect(await startDrain(createConcurrencyLimiter(1, { stayMsMax: STAY_MS_MAX }))()).toBe(true);
  });

  it('is over when the last place is left, and gives none meanwhile', async () => {
    const places = createConcurrencyLimiter(10, { stayMsMax: STAY_MS_MAX });
    const leaves = [enter(places), enter(places)];
    const isOver = startDrain(places);
    expect(places.acquire()).toBeUndefined();
    leaves[0]?.();
    expect(await isOver()).toBe(false);
    leaves[1]?.();
    expect(await isOver()).toBe(true);
    expect(places.acquire()).toBeUndefined();
  });

  it('is over after the wait, though a place is not left', async () => {
    const places = createConcurrencyLimiter(10, { stayMsMax: STAY_MS_MAX });
    enter(places);
    const isOver = startDrain(places);
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    expect(await isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver()).toBe(true);
  });
});
