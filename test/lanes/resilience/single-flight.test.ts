import { describe, expect, it } from 'vitest';
import {
  type AdaptiveDeadline,
  createAdaptiveDeadline,
} from '../../../src/lanes/resilience/adaptive-deadline.ts';
import { createSingleFlight, type Flight } from '../../../src/lanes/resilience/single-flight.ts';

const within = (ms: number): AdaptiveDeadline =>
  createAdaptiveDeadline(performance.now() + ms, Infinity);
const patient = (): AdaptiveDeadline => within(60_000);

/** Single flight with a flight that the test ends, and the results that came late. */
function heldFlight() {
  const late: string[] = [];
  const singleFlight = createSingleFlight<string>((result) => late.push(result));
  let end: (result: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const held: { flight?: Flight<string>; starts: number } = { starts: 0 };
  const start = (flight: Flight<string>): Promise<string> => {
    held.flight = flight;
    held.starts++;
    return new Promise((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
  };
  const send = (): void => {
    if (held.flight !== undefined) held.flight.isSent = true;
  };
  return {
    singleFlight,
    late,
    held,
    start,
    send,
    end: (result: string) => end(result),
    fail: (error: Error) => fail(error),
  };
}

describe('single flight', () => {
  it('gives one result to all callers that join, and then ends', async () => {
    const { singleFlight, held, start, end, late } = heldFlight();
    const joined = [
      singleFlight.join('k', patient(), start),
      singleFlight.join('k', patient(), start),
    ];
    expect(singleFlight.has('k')).toBe(true);
    end('there');
    expect(await Promise.all(joined)).toEqual(['there', 'there']);
    expect(held.starts).toBe(1);
    expect(singleFlight.has('k')).toBe(false);
    expect(late).toEqual([]);
  });

  it('is canceled when the last caller leaves before anything was sent', async () => {
    const { singleFlight, held, start } = heldFlight();
    const first = singleFlight.join('k', within(20), start);
    const last = singleFlight.join('k', within(200), start);
    await expect(first).rejects.toMatchObject({ reason: 'throttled' });
    expect(held.flight?.signal.aborted).toBe(false);
    expect(singleFlight.has('k')).toBe(true);
    await expect(last).rejects.toMatchObject({ reason: 'throttled' });
    expect(held.flight?.signal.aborted).toBe(true);
    expect(singleFlight.has('k')).toBe(false);
  });

  it('goes on once a request was sent, and can still be joined', async () => {
    const { singleFlight, held, start, send, end, late } = heldFlight();
    const first = singleFlight.join('k', within(20), start);
    send();
    await expect(first).rejects.toMatchObject({ name: 'LaneLate' });
    expect(held.flight?.signal.aborted).toBe(false);
    const second = singleFlight.join('k', patient(), start);
    end('there');
    expect(await second).toBe('there');
    expect(held.starts).toBe(1);
    expect(late).toEqual([]);
  });

  it('hands on a result that no caller waits for', async () => {
    const { singleFlight, start, send, end, late } = heldFlight();
    const joined = singleFlight.join('k', within(20), start);
    send();
    await expect(joined).rejects.toMatchObject({ name: 'LaneLate' });
    end('there');
    await expect.poll(() => late).toEqual(['there']);
    expect(singleFlight.has('k')).toBe(false);
  });

  it('is awaited until the latest deadline of its callers', async () => {
    const { singleFlight, held, start, end } = heldFlight();
    const deadlines = [within(10_000), within(30_000), within(20_000)];
    const joined = deadlines.map((deadline) => singleFlight.join('k', deadline, start));
    expect(held.flight?.awaitedUntil()).toBe(deadlines[1]?.at());
    end('there');
    await Promise.all(joined);
    expect(held.flight?.awaitedUntil()).toBe(-Infinity);
  });

  it('gives its partial result to callers that leave', async () => {
    const { singleFlight, held, start, send, end } = heldFlight();
    const [first, last] = [
      singleFlight.join('k', within(20), start),
      singleFlight.join('k', patient(), start),
    ];
    send();
    if (held.flight !== undefined) held.flight.partial = 'half';
    expect(await first).toBe('half');
    end('all');
    expect(await last).toBe('all');
  });

  it('gives its partial result if the rest fails', async () => {
    const { singleFlight, held, start, fail } = heldFlight();
    const joined = singleFlight.join('k', patient(), start);
    if (held.flight !== undefined) held.flight.partial = 'half';
    fail(new Error('no'));
    expect(await joined).toBe('half');
  });

  it('fails for all callers, and can be started again', async () => {
    const { singleFlight } = heldFlight();
    const fail = () => Promise.reject(new Error('no'));
    const joined = [
      singleFlight.join('k', patient(), fail),
      singleFlight.join('k', patient(), fail),
    ];
    const results = await Promise.allSettled(joined);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await singleFlight.join('k', patient(), async () => 'there')).toBe('there');
  });

  it('keeps keys apart', async () => {
    const { singleFlight } = heldFlight();
    const joined = ['a', 'b'].map((key) => singleFlight.join(key, patient(), async () => key));
    expect(await Promise.all(joined)).toEqual(['a', 'b']);
  });
});
