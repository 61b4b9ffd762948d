import { describe, expect, it } from 'vitest';
import { createAdaptiveDeadline } from '../../../src/fallback/resilience/adaptive-deadline.ts';

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

  it('moves to twice the time of the first response, and moves only once', async () => {
    const started = performance.now();
    const deadline = createAdaptiveDeadline(started + 60_000, 50_000);
    const created = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const responded = performance.now();
    expect(deadline.shorten()).toBe(true);
    const at = deadline.at();
    expect(at - responded).toBeGreaterThanOrEqual(responded - created);
    expect(at - started).toBeLessThanOrEqual(2 * (performance.now() - started));
    expect(deadline.shorten()).toBe(false);
    expect(deadline.at()).toBe(at);
    if (!deadline.passed.aborted) {
      await new Promise((resolve) => deadline.passed.addEventListener('abort', resolve));
    }
    expect(performance.now()).toBeGreaterThanOrEqual(at - 1);
    deadline.close();
  });
});
