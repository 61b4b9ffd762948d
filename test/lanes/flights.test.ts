import { describe, expect, it } from 'vitest';
import { createFlights, type Flight } from '../../src/lanes/flights.ts';

const within = (ms: number): number => performance.now() + ms;

/** A flight whose end is in the test's hands. */
function heldFlight() {
  let end: (result: string) => void = () => {};
  const held: { flight?: Flight; starts: number } = { starts: 0 };
  const start = (flight: Flight): Promise<string> => {
    held.flight = flight;
    held.starts++;
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  return { held, start, end: (result: string) => end(result) };
}

describe('a flight', () => {
  it('has one result for all who join it, and is over then', async () => {
    const flights = createFlights<string>();
    const { held, start, end } = heldFlight();
    const joined = [
      flights.join('k', within(60_000), start),
      flights.join('k', within(60_000), start),
    ];
    expect(flights.has('k')).toBe(true);
    end('there');
    expect(await Promise.all(joined)).toEqual(['there', 'there']);
    expect(held.starts).toBe(1);
    expect(flights.has('k')).toBe(false);
  });

  it('is given up when the last one has left, and not before', async () => {
    const flights = createFlights<string>();
    const { held, start } = heldFlight();
    const first = flights.join('k', within(20), start);
    const last = flights.join('k', within(200), start);
    await expect(first).rejects.toMatchObject({ reason: 'no_time' });
    expect(held.flight?.signal.aborted).toBe(false);
    expect(flights.has('k')).toBe(true);
    await expect(last).rejects.toMatchObject({ reason: 'no_time' });
    expect(held.flight?.signal.aborted).toBe(true);
    expect(flights.has('k')).toBe(false);
  });

  it('has the latest deadline of those who wait', async () => {
    const flights = createFlights<string>();
    const { held, start, end } = heldFlight();
    const deadlines = [within(10_000), within(30_000), within(20_000)];
    const joined = deadlines.map((deadline) => flights.join('k', deadline, start));
    expect(held.flight?.deadline).toBe(deadlines[1]);
    end('there');
    await Promise.all(joined);
  });

  it('failed, and was not skipped, once it has been sent', async () => {
    const flights = createFlights<string>();
    const joined = flights.join('k', within(20), (flight) => {
      flight.isSent = true;
      return new Promise(() => {});
    });
    await expect(joined).rejects.toMatchObject({ name: 'LaneFailure', reason: 'timeout' });
  });

  it('fails for all who wait, and can be started again', async () => {
    const flights = createFlights<string>();
    const fail = () => Promise.reject(new Error('no'));
    const joined = [
      flights.join('k', within(60_000), fail),
      flights.join('k', within(60_000), fail),
    ];
    const results = await Promise.allSettled(joined);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flights.join('k', within(60_000), async () => 'there')).toBe('there');
  });

  it('is another one for another key', async () => {
    const flights = createFlights<string>();
    const joined = ['a', 'b'].map((key) => flights.join(key, within(60_000), async () => key));
    expect(await Promise.all(joined)).toEqual(['a', 'b']);
  });
});
