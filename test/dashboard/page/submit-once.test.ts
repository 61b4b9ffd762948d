import { describe, expect, it, vi } from 'vitest';
import { createSubmitOnce } from '../../../src/dashboard/page/submit-once.ts';

describe('a form that is submitted more than once', () => {
  const options = { formsMax: 2, formsPerOwnerMax: 2, lifetimeMs: 60_000 };
  const counter = () => {
    let runs = 0;
    return async () => ++runs;
  };

  it('returns the result of the first submission, even while that is running', async () => {
    const once = createSubmitOnce<number>(options);
    const work = counter();
    const all = [once.run(1, 'a', work), once.run(1, 'a', work)];
    expect(await Promise.all(all)).toEqual([1, 1]);
    expect(await once.run(1, 'a', work)).toBe(1);
    expect(await once.run(1, 'b', work)).toBe(2);
    expect(await once.run(2, 'a', work)).toBe(3);
  });

  it('runs again if the first submission failed', async () => {
    const once = createSubmitOnce<number>(options);
    await expect(once.run(1, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await once.run(1, 'a', counter())).toBe(1);
  });

  it('is forgotten when it is the oldest, and after its lifetime', async () => {
    vi.useFakeTimers();
    const once = createSubmitOnce<number>({ ...options, lifetimeMs: 1_000 });
    const work = counter();
    for (const copy of ['a', 'b', 'c', 'b', 'a']) await once.run(1, copy, work);
    expect(await once.run(1, 'c', work)).toBe(3);
    vi.advanceTimersByTime(1_000);
    expect(await once.run(1, 'c', work)).toBe(5);
    vi.useRealTimers();
  });
});
