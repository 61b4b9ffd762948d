import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRejectionPace, type RejectionPace } from '../../src/http/rejection-pace.ts';

const DELAY_MS = 2_000;
const BATCH_MS = 20;

describe('the pace of rejections', () => {
  let pace: RejectionPace;
  /** Rejections that were sent, by their number. */
  let sent: number[];
  let asked: number;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    pace = createRejectionPace({
      promptRejectionsMax: 3,
      promptRejectionsPerSecond: 2,
      promptRejectionsPerSearch: 2,
      rejectionBatchMs: BATCH_MS,
      rejectionDelayMs: DELAY_MS,
      rejectionsDelayedMax: 6,
      random: () => 0.5,
    });
    sent = [];
    asked = 0;
  });
  afterEach(() => vi.useRealTimers());

  /** Asks for so many turns, and waits for those that come at once. */
  async function refuse(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const number = asked++;
      void pace.turn().then(() => sent.push(number));
    }
    await vi.advanceTimersByTimeAsync(0);
  }

  it('sends the first at once, those that follow soon together, and the rest after the delay', async () => {
    await refuse(5);
    expect(sent).toEqual([0]);
    await vi.advanceTimersByTimeAsync(BATCH_MS);
    expect(sent).toEqual([0, 1, 2]);
    await vi.advanceTimersByTimeAsync(DELAY_MS - BATCH_MS - 1);
    expect(sent).toEqual([0, 1, 2]);
    await vi.advanceTimersByTimeAsync(1 + BATCH_MS);
    expect(sent).toEqual([0, 1, 2, 3, 4]);
  });

  it('sends one at once again after a batch has left and as much time has passed', async () => {
    await refuse(2);
    await vi.advanceTimersByTimeAsync(2 * BATCH_MS);
    expect(sent).toEqual([0, 1]);
    await refuse(1);
    expect(sent).toEqual([0, 1, 2]);
  });

  it('regains prompt rejections with time, up to the burst', async () => {
    await refuse(3);
    await vi.advanceTimersByTimeAsync(500);
    await refuse(2);
    await vi.advanceTimersByTimeAsync(BATCH_MS);
    expect(sent).toEqual([0, 1, 2, 3]);
    await vi.advanceTimersByTimeAsync(60_000);
    sent = [];
    await refuse(4);
    await vi.advanceTimersByTimeAsync(BATCH_MS);
    expect(sent).toEqual([5, 6, 7]);
  });

  it('regains prompt rejections with each search that is served', async () => {
    await refuse(3);
    pace.served();
    await refuse(3);
    await vi.advanceTimersByTimeAsync(BATCH_MS);
    expect(sent).toEqual([0, 1, 2, 3, 4]);
  });

  it('holds no more than its maximum', async () => {
    // Two of the first three wait for their batch, and four for the delay.
    await refuse(3 + 4 + 2);
    expect(sent).toEqual([0, 7, 8]);
    await vi.advanceTimersByTimeAsync(DELAY_MS + BATCH_MS);
    expect(sent).toHaveLength(9);
    // Those that waited made room.
    await refuse(7);
    expect(sent).toHaveLength(10);
  });
});
