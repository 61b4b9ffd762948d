import { describe, expect, it } from 'vitest';
import {
  type AdaptiveDeadline,
  createAdaptiveDeadline,
} from '../../../src/fallback/resilience/adaptive-deadline.ts';
import { createSingleFlight, type Flight } from '../../../src/fallback/resilience/single-flight.ts';

const within = (ms: number): AdaptiveDeadline =>
  createAdaptiveDeadline(performance.now() + ms, Infinity);
const patient = (): AdaptiveDeadline => within(60_000);

/** Flights, one whose end is in the test's hands, and the results that came late. */
function heldFlight() {
  const late: string[] = [];
  const flights = createSingleFlight<string>((result) => late.push(result));
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
    flights,
    late,
    held,
    start,
    send,
    end: (result: string) => end(result),
    fail: (error: Error) => fail(error),
  };
}

describe('a flight', () => {
  it('has one result for all who join it, and is over then', async () => {
    const { flights, held, start, end, late } = heldFlight();
    const joined = [flights.join('k', patient(), start), flights.join('k', patient(), start)];
    expect(flights.has('k')).toBe(true);
    end('there');
    expect(await Promise.all(joined)).toEqual(['there', 'there']);
    expect(held.starts).toBe(1);
    expect(flights.has('k')).toBe(false);
    expect(late).toEqual([]);
  });

  it('is given up when the last one has left before anything was sent', async () => {
    const { flights, held, start } = heldFlight();
    const first = flights.join('k', within(20), start);
    const last = flights.join('k', within(200), start);
    await expect(first).rejects.toMatchObject({ reason: 'no_time' });
    expect(held.flight?.signal.aborted).toBe(false);
    expect(flights.has('k')).toBe(true);
    await expect(last).rejects.toMatchObject({ reason: 'no_time' });
    expect(held.flight?.signal.aborted).toBe(true);
    expect(flights.has('k')).toBe(false);
  });

  it('goes on to its end once something was sent, and can be joined until then', async () => {
    const { flights, held, start, send, end, late } = heldFlight();
    const first = flights.join('k', within(20), start);
    send();
    await expect(first).rejects.toMatchObject({ name: 'LaneLate' });
    expect(held.flight?.signal.aborted).toBe(false);
    const second = flights.join('k', patient(), start);
    end('there');
    expect(await second).toBe('there');
    expect(held.starts).toBe(1);
    expect(late).toEqual([]);
  });

  it('hands on what comes when nobody waits for it any more', async () => {
    const { flights, start, send, end, late } = heldFlight();
    const joined = flights.join('k', within(20), start);
    send();
    await expect(joined).rejects.toMatchObject({ name: 'LaneLate' });
    end('there');
    await expect.poll(() => late).toEqual(['there']);
    expect(flights.has('k')).toBe(false);
  });

  it('is awaited until the latest of those who wait leaves', async () => {
    const { flights, held, start, end } = heldFlight();
    const patiences = [within(10_000), within(30_000), within(20_000)];
    const joined = patiences.map((patience) => flights.join('k', patience, start));
    expect(held.flight?.awaitedUntil()).toBe(patiences[1]?.at());
    end('there');
    await Promise.all(joined);
    expect(held.flight?.awaitedUntil()).toBe(-Infinity);
  });

  it('gives those who leave what it has so far', async () => {
    const { flights, held, start, send, end } = heldFlight();
    const [first, last] = [
      flights.join('k', within(20), start),
      flights.join('k', patient(), start),
    ];
    send();
    if (held.flight !== undefined) held.flight.partial = 'half';
    expect(await first).toBe('half');
    end('all');
    expect(await last).toBe('all');
  });

  it('gives what it has so far where the rest fails', async () => {
    const { flights, held, start, fail } = heldFlight();
    const joined = flights.join('k', patient(), start);
    if (held.flight !== undefined) held.flight.partial = 'half';
    fail(new Error('no'));
    expect(await joined).toBe('half');
  });

  it('fails for all who wait, and can be started again', async () => {
    const { flights } = heldFlight();
    const fail = () => Promise.reject(new Error('no'));
    const joined = [flights.join('k', patient(), fail), flights.join('k', patient(), fail)];
    const results = await Promise.allSettled(joined);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flights.join('k', patient(), async () => 'there')).toBe('there');
  });

  it('is another one for another key', async () => {
    const { flights } = heldFlight();
    const joined = ['a', 'b'].map((key) => flights.join(key, patient(), async () => key));
    expect(await Promise.all(joined)).toEqual(['a', 'b']);
  });
});

describe('the patience of a search', () => {
  it('lasts until its limit, or the deadline where that is sooner', () => {
    const now = performance.now();
    const patiences = [
      createAdaptiveDeadline(now + 60_000, 2_000),
      createAdaptiveDeadline(now + 500, 2_000),
    ];
    const [limited, short] = patiences.map((patience) => patience.at() - now);
    expect(limited).toBeGreaterThanOrEqual(2_000);
    expect(limited).toBeLessThan(60_000);
    expect(short).toBeCloseTo(500);
    for (const patience of patiences) patience.close();
  });

  it('gives the others as long again as the first one took, and never more', async () => {
    const started = performance.now();
    const patience = createAdaptiveDeadline(started + 60_000, 50_000);
    const created = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const answered = performance.now();
    expect(patience.shorten()).toBe(true);
    const until = patience.at();
    expect(until - answered).toBeGreaterThanOrEqual(answered - created);
    expect(until - started).toBeLessThanOrEqual(2 * (performance.now() - started));
    expect(patience.shorten()).toBe(false);
    expect(patience.at()).toBe(until);
    if (!patience.passed.aborted) {
      await new Promise((resolve) => patience.passed.addEventListener('abort', resolve));
    }
    expect(performance.now()).toBeGreaterThanOrEqual(until - 1);
    patience.close();
  });
});
