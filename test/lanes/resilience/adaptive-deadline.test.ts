import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAdaptiveDeadline } from '../../../src/lanes/resilience/adaptive-deadline.ts';

describe('createAdaptiveDeadline', () => {
  it('passes after the longest wait, or at the latest time if that is sooner', () => {
    const now = performance.now();
    const deadlines = [
      createAdaptiveDeadline(now + 60_000, 2_000),
      createAdaptiveDeadline(now + 500, 2_000),
    ];
    const [limited, short] = deadlines.map((deadline) => deadline.at() - now);
    expect(limited).toBeGreaterThanOrEqual(2_000);
    expect(limited).toBeLessThan(60_000);
    expect(short).toBeCloseTo(500);
    for (const deadline of deadlines) deadline.close();
  });

  it.each([
    [50, 850],
    [799, 1_599],
    [1_000, 2_000],
  ])('moves once: after %i ms, the others have until %i ms', async (firstMs, atMs) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const started = performance.now();
    const deadline = createAdaptiveDeadline(started + 60_000, 50_000);
    await vi.advanceTimersByTimeAsync(firstMs);
    expect(deadline.shorten()).toBe(true);
    expect(deadline.at() - started).toBe(atMs);
    await vi.advanceTimersByTimeAsync(100);
    expect(deadline.shorten()).toBe(false);
    await vi.advanceTimersByTimeAsync(atMs - firstMs - 101);
    expect(deadline.passed.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(deadline.passed.aborted).toBe(true);
  });

  it('never moves beyond the longest wait', () => {
    const deadline = createAdaptiveDeadline(performance.now() + 60_000, 500);
    const at = deadline.at();
    expect(deadline.shorten()).toBe(false);
    expect(deadline.at()).toBe(at);
    deadline.close();
  });
});
