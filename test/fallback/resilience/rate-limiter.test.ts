import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createRateLimiter,
  type ProviderLease,
  type RateLimiter,
  type RateLimiterOptions,
} from '../../../src/fallback/resilience/rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pace whose requests take so long, and what became of each. */
function paced(limits: Partial<RateLimiterOptions> = {}) {
  const pace = createRateLimiter({ gapMs: 3_000, concurrencyMax: 1, queueMax: 10, ...limits });
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
    return pace.run(work, { signal: leave.signal, startMax }).catch((error: Error) => {
      events.push(`${name} ${error.message}`);
    });
  };
  return { pace, events, ask };
}

const waitOf = (pace: RateLimiter): number => Math.round(pace.waitMs());

describe('one request at a time', () => {
  it('starts the next one a gap after the end of the last, in their order', async () => {
    const { events, ask } = paced();
    void ask('a');
    void ask('b', { takesMs: 2_000 });
    void ask('c');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(events).toEqual(['a 0', 'b 3500', 'c 8500']);
  });

  it('leaves more time after a request that was lost on its way', async () => {
    const { events, ask } = paced();
    void ask('a', { fails: true });
    void ask('b');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(events).toEqual(['a 0', 'a lost', 'b 4500']);
  });

  it('keeps the gap after a quiet time', async () => {
    const { events, ask } = paced();
    void ask('a');
    await vi.advanceTimersByTimeAsync(1_000);
    void ask('b');
    await vi.advanceTimersByTimeAsync(60_000);
    void ask('c');
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['a 0', 'b 3500', 'c 61000']);
  });

  it('knows how long a request would wait at least', async () => {
    const { pace, ask } = paced();
    expect(waitOf(pace)).toBe(0);
    void ask('a');
    expect(waitOf(pace)).toBe(3_000);
    void ask('b');
    expect(waitOf(pace)).toBe(6_000);
    await vi.advanceTimersByTimeAsync(500);
    expect(waitOf(pace)).toBe(6_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(waitOf(pace)).toBe(5_000);
  });
});

describe('several requests at a time', () => {
  it('start at once, as many as are allowed, and the next when one has ended', async () => {
    const { events, ask } = paced({ gapMs: 100, concurrencyMax: 2 });
    for (const name of ['a', 'b', 'c', 'd']) void ask(name);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['a 0', 'b 0', 'c 500', 'd 500']);
  });

  it('are never more in a window than it has gaps, however short they are', async () => {
    const { pace, events, ask } = paced({ gapMs: 350, concurrencyMax: 3 });
    for (const name of ['a', 'b']) void ask(name, { takesMs: 10 });
    await vi.advanceTimersByTimeAsync(500);
    for (const name of ['c', 'd', 'e']) void ask(name, { takesMs: 10 });
    expect(waitOf(pace)).toBe(1_050);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['a 0', 'b 0', 'c 500', 'd 1050', 'e 1050']);
  });

  it('are slowed down by what a provider says, and never made faster', async () => {
    const { pace, events, ask } = paced({ gapMs: 100, concurrencyMax: 2 });
    pace.tighten({ gapMs: 1_000, concurrencyMax: 1 });
    for (const name of ['a', 'b']) void ask(name);
    await vi.advanceTimersByTimeAsync(5_000);
    pace.tighten({ gapMs: 1, concurrencyMax: 9 });
    for (const name of ['c', 'd', 'e']) void ask(name);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(events).toEqual(['a 0', 'b 1500', 'c 5000', 'd 5000', 'e 5500']);
  });
});

describe('the queue', () => {
  it('has a bound', async () => {
    const { events, ask } = paced({ queueMax: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'd queue_full', 'e queue_full', 'b 3500', 'c 7000']);
  });

  it('is left by who has no time any more', async () => {
    const { events, ask } = paced();
    void ask('a');
    void ask('b', { leaveMs: 1_000 });
    void ask('c');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'b no_time', 'c 3500']);
  });

  it('tells those at once whose turn a pause makes come too late', async () => {
    const { pace, events, ask } = paced();
    void ask('a');
    void ask('b', { leaveMs: 5_000 });
    void ask('c', { leaveMs: 30_000 });
    await vi.advanceTimersByTimeAsync(600);
    pace.delay(10_000, 'rate_limited');
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['a 0', 'b rate_limited']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'b rate_limited', 'c 10600']);
  });

  it('is left at once by those who have less time now than their turn takes to come', async () => {
    const { pace, events, ask } = paced();
    const limits = { b: 5_000 };
    void ask('a');
    void pace
      .run(async () => {}, { signal: new AbortController().signal, startMax: () => limits.b })
      .catch((error: Error) => events.push(`b ${error.message}`));
    pace.dropTooLate();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['a 0']);
    limits.b = 2_000;
    pace.dropTooLate();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['a 0', 'b no_time']);
  });

  it('can be emptied, and goes on afterwards', async () => {
    const { pace, events, ask } = paced();
    void ask('a');
    void ask('b');
    pace.dropAll('circuit_open');
    void ask('c');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['a 0', 'b circuit_open', 'c 3500']);
  });

  it('waits through a pause of months without running hot', async () => {
    const { pace, events, ask } = paced();
    pace.delay(40 * 86_400_000, 'exhausted');
    void ask('a', { takesMs: 1 });
    await vi.advanceTimersByTimeAsync(39 * 86_400_000);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * 86_400_000);
    expect(events).toEqual([`a ${40 * 86_400_000}`]);
  });
});

describe('turns that other processes take too', () => {
  /** As if another process had the turn until then. */
  function turnsUntil(time: number) {
    const taken: number[] = [];
    const ended: number[] = [];
    const turns: ProviderLease = {
      waitMs: () => Math.max(0, time - performance.now()),
      acquire() {
        const waitMs = turns.waitMs();
        if (waitMs === 0) taken.push(performance.now());
        return waitMs;
      },
      release: (gapMs) => ended.push(gapMs),
    };
    return { turns, taken, ended };
  }

  it('are waited for, taken for each request, and ended with its gap', async () => {
    const origin = performance.now();
    const { turns, taken, ended } = turnsUntil(origin + 1_000);
    const { pace, events, ask } = paced({ lease: turns });
    expect(waitOf(pace)).toBe(1_000);
    void ask('a');
    void ask('b', { fails: true });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(events).toEqual(['a 1000', 'b 4500', 'b lost']);
    expect(taken.map((time) => time - origin)).toEqual([1_000, 4_500]);
    expect(ended).toEqual([3_000, 4_000]);
  });

  it('are tried again soon, as the other process may end its turn early', async () => {
    let isFree = false;
    const turns = { waitMs: () => 0, take: () => (isFree ? 0 : 9_000), end: () => {} };
    const { events, ask } = paced({ lease: turns });
    void ask('a');
    await vi.advanceTimersByTimeAsync(500);
    expect(events).toEqual([]);
    isFree = true;
    await vi.advanceTimersByTimeAsync(500);
    expect(events).toEqual(['a 600']);
  });
});
