/** What was read is kept for a while, with a clock of the test's own. */
import { describe, expect, it } from 'vitest';
import { cachedFor } from '../../../src/index/postgres/cached-for.ts';

function createWorld() {
  const world = { time: 0, readings: 0, fails: false };
  const read = cachedFor(
    100,
    async () => {
      world.readings++;
      if (world.fails) throw new Error('down');
      return world.readings;
    },
    () => world.time,
  );
  return { world, read };
}

describe('what was read', () => {
  it('is kept for as long as it may be, and then read again', async () => {
    const { world, read } = createWorld();
    expect(await read()).toBe(1);
    world.time = 99;
    expect(await read()).toBe(1);
    world.time = 100;
    expect(await read()).toBe(2);
  });

  it('is shared by all who ask while it is read', async () => {
    const { world, read } = createWorld();
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    expect(world.readings).toBe(1);
  });

  it('is not kept if reading failed', async () => {
    const { world, read } = createWorld();
    world.fails = true;
    await expect(Promise.all([read(), read()])).rejects.toThrow('down');
    expect(world.readings).toBe(1);
    world.fails = false;
    expect(await read()).toBe(2);
  });

  it('is read again after a failure when its time was over', async () => {
    const { world, read } = createWorld();
    await read();
    world.time = 100;
    world.fails = true;
    await expect(read()).rejects.toThrow('down');
    world.fails = false;
    expect(await read()).toBe(3);
  });
});
