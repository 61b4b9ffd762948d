/** Whose task a thread is given next. The pool is made by hand: its tasks end when they are told. */
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../src/workers/in-turn.ts';

function start({ threads = 1, queueMax = 100 } = {}) {
  const received: string[] = [];
  const ends = new Map<string, { resolve(): void; reject(error: Error): void }>();
  let closed = 0;
  const pool = inTurn<string, string>(
    {
      run: (task) =>
        new Promise((resolve, reject) => {
          received.push(task);
          ends.set(task, { resolve: () => resolve(`done ${task}`), reject });
        }),
      close: async () => {
        closed++;
      },
    },
    { threads, queueMax },
  );
  return { pool, received, ends, closed: () => closed };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('a pool whose owners take turns', () => {
  it('gives the next thread to the owner who has waited longest for one', async () => {
    const { pool, received, ends } = start();
    const tasks = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
    const done = tasks.map((task) => pool.run(task, task.charCodeAt(0)));
    for (let at = 0; at < tasks.length; at++) {
      await settle();
      expect(received).toHaveLength(at + 1);
      ends.get(received[at] as string)?.resolve();
    }
    expect(received).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
    expect(await Promise.all(done)).toEqual(tasks.map((task) => `done ${task}`));
  });

  it('uses all threads, and goes on after a failure', async () => {
    const { pool, received, ends } = start({ threads: 2 });
    const done = ['a1', 'a2', 'a3'].map((task) => pool.run(task, 1));
    expect(received).toEqual(['a1', 'a2']);
    const failed = expect(done[0]).rejects.toThrow('no');
    ends.get('a1')?.reject(new Error('no'));
    await failed;
    await settle();
    expect(received).toEqual(['a1', 'a2', 'a3']);
    ends.get('a2')?.resolve();
    ends.get('a3')?.resolve();
    expect(await Promise.all(done.slice(1))).toEqual(['done a2', 'done a3']);
  });

  it('rejects what is too much, and after it closes', async () => {
    const { pool, ends, closed } = start({ queueMax: 1 });
    const done = [pool.run('a1', 1), pool.run('a2', 1)];
    await expect(pool.run('b1', 2)).rejects.toMatchObject({ code: 'at_capacity' });
    const closing = pool.close();
    await expect(pool.run('c1', 3)).rejects.toMatchObject({ code: 'at_capacity' });
    ends.get('a1')?.resolve();
    await settle();
    ends.get('a2')?.resolve();
    await Promise.all([...done, closing]);
    expect(closed()).toBe(1);
  });
});
