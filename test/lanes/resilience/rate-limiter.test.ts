import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createRateLimiter,
  type ProviderLease,
  type RateLimiter,
  type RateLimiterOptions,
} from '../../../src/lanes/resilience/lane-rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A rate limiter, requests of a given duration, and what became of each. */
function limited(limits: Partial<RateLimiterOptions> = {}) {
  const limiter = createRateLimiter({ gapMs: 3_000, concurrencyMax: 1, queueMax: 10, ...limits });
  const origin = performance.now();
  const events: string[] = [];
  const at = (): number => Math.round(performance.now() - origin);
  const ask = (name: string, { takesMs = 500, fails = false, leaveMs = Infinity } = {}) => {
    const leave = new AbortController();
    if (leaveMs !== Infinity) setTimeout(() => leave.abort(), leaveMs);
    const work = async (): Promise<void> => {
      events.push(`${name} ${at()}`);
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      if (fails) throw new Error('lost');
    };
    const startMax = (): number => origin + leaveMs;
    return limiter.run(work, { signal: leave.signal, startMax }).catch((error: Error) => {
      events.push(`${name} ${error.message}`);
    });
  };
  return { limiter, events, ask };
}

const waitOf = (limiter: RateLimiter): number => Math.round(limiter.waitMs());

describe('a rate limiter with a concurrency of 1', () => {
  it('starts each request a gap after the end of the one before, in order', async () => {
    const { events, ask } = limited();
    void ask('a');
    void ask('b', { takesMs: 2_000 });
    void ask('c');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(events).toEqual(['a 0', 'b 3500', 'c 8500']);
  });

  it('waits longer after a request without a response', async () => {
    const { events, ask } = limited();
    void ask('a', { fails: true });
    void ask('b');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(events).toEqual(['a 0', 'a lost', 'b 4500']);
  });

  it('keeps the gap after an idle period', async () => {
    const { events, ask } = limited();
    void ask('a');
    await vi.advanceTimersByTimeAsync(1_000);
    void ask('b');
    await vi.advanceTimersByTimeAsync(60_000);
    void ask('c');
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['a 0', 'b 3500', 'c 61000']);
  });

  it('tells how long a request would wait', async () => {
    const { limiter, ask } = limited();
    expect(waitOf(limiter)).toBe(0);
    void ask('a');
    expect(waitOf(limiter)).toBe(3_000);
    void ask('b');
    expect(waitOf(limiter)).toBe(6_000);
    await vi.advanceTimersByTimeAsync(500);
    expect(waitOf(limiter)).toBe(6_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(waitOf(limiter)).toBe(5_000);
  });
});

describe('a rate limiter with a higher concurrency', () => {
  it('starts as many requests as allowed at once, and the next when one ends', async () => {
    const { events, ask } = limited({ gapMs: 100, concurrencyMax: 2 });
    for (const name of ['a', 'b', 'c', 'd']) void ask(name);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['a 0', 'b 0', 'c 500', 'd 500']);
  });

  it('starts no more than n requests in n gaps, however short they are', async () => {
    const { limiter, events, ask } = limited({ gapMs: 350, concurrencyMax: 3 });
    for (const name of ['a', 'b']) void ask(name, { takesMs: 10 });
    await vi.advanceTimersByTimeAsync(500);
    for (const name of ['c', 'd', 'e']) void ask(name, { takesMs: 10 });
    expect(waitOf(limiter)).toBe(1_050);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['a 0', 'b 0', 'c 500', 'd 1050', 'e 1050']);
  });

  it('applies stricter limits of the provider, never looser ones', async () => {
    const { limiter, events, ask } = limited({ gapMs: 100, concurrencyMax: 2 });
    limiter.tighten({ gapMs: 1_000, concurrencyMax: 1 });
    for (const name of ['a', 'b']) void ask(name);
    await vi.advanceTimersByTimeAsync(5_000);
    limiter.tighten({ gapMs: 1, concurrencyMax: 9 });
    for (const name of ['c', 'd', 'e']) void ask(name);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['a 0', 'b 1500', 'c 5000', 'd 5000', 'e 5500']);
  });
});

describe('the queue of a rate limiter', () => {
  it('rejects requests beyond its bound', async () => {
    const { events, ask } = limited({ queueMax: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'd queue_full', 'e queue_full', 'b 3500', 'c 7000']);
  });

  it('drops a request that is aborted', async () => {
    const { events, ask } = limited();
    void ask('a');
    void ask('b', { leaveMs: 1_000 });
    void ask('c');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'b no_time', 'c 3500']);
  });

  it('rejects at once the requests that a delay makes too late', async () => {
    const { limiter, events, ask } = limited();
    void ask('a');
    void ask('b', { leaveMs: 5_000 });
    void ask('c', { leaveMs: 30_000 });
    await vi.advanceTimersByTimeAsync(600);
    limiter.delay(10_000, 'rate_limited');
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['a 0', 'b rate_limited']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'b rate_limited', 'c 10600']);
  });

  it('rejects at once the requests whose deadline moved too early', async () => {
    const { limiter, events, ask } = limited();
    const limits = { b: 5_000 };
    void ask('a');
    void limiter
      .run(async () => {}, { signal: new AbortController().signal, startMax: () => limits.b })
      .catch((error: Error) => events.push(`b ${error.message}`));
    limiter.dropTooLate();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['a 0']);
    limits.b = 2_000;
    limiter.dropTooLate();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['a 0', 'b throttled']);
  });

  it('goes on after all requests were dropped', async () => {
    const { limiter, events, ask } = limited();
    void ask('a');
    void ask('b');
    limiter.dropAll('circuit_open');
    void ask('c');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'b circuit_open', 'c 3500']);
  });

  it('waits out a delay of months, which is longer than a timer can be', async () => {
    const { limiter, events, ask } = limited();
    limiter.delay(40 * 86_400_000, 'exhausted');
    void ask('a', { takesMs: 1 });
    await vi.advanceTimersByTimeAsync(39 * 86_400_000);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * 86_400_000);
    expect(events).toEqual([`a ${40 * 86_400_000}`]);
  });
});

describe('a lease that processes share', () => {
  /** A lease that another process holds until the given time. */
  function leaseUntil(time: number) {
    const acquired: number[] = [];
    const released: number[] = [];
    const lease: ProviderLease = {
      waitMs: () => Math.max(0, time - performance.now()),
      acquire() {
        const waitMs = lease.waitMs();
        if (waitMs === 0) acquired.push(performance.now());
        return waitMs;
      },
      release: (gapMs) => released.push(gapMs),
    };
    return { lease, acquired, released };
  }

  it('is awaited, acquired for each request, and released with a gap', async () => {
    const origin = performance.now();
    const { lease, acquired, released } = leaseUntil(origin + 1_000);
    const { limiter, events, ask } = limited({ lease });
    expect(waitOf(limiter)).toBe(1_000);
    void ask('a');
    void ask('b', { fails: true });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(events).toEqual(['a 1000', 'b 4500', 'b lost']);
    expect(acquired.map((time) => time - origin)).toEqual([1_000, 4_500]);
    expect(released).toEqual([3_000, 4_000]);
  });

  it('is polled, because the other process may release it early', async () => {
    let isFree = false;
    const lease = { waitMs: () => 0, acquire: () => (isFree ? 0 : 9_000), release: () => {} };
    const { events, ask } = limited({ lease });
    void ask('a');
    await vi.advanceTimersByTimeAsync(500);
    expect(events).toEqual([]);
    isFree = true;
    await vi.advanceTimersByTimeAsync(500);
    expect(events).toEqual(['a 600']);
  });
});
