/** The folder of a run, which nothing of the run outlives. */
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTemporaryFolder } from '../../scripts/measure/temporary-folder.ts';

afterEach(() => vi.restoreAllMocks());

describe('a temporary folder', () => {
  it('is gone after the work, as are the listeners', async () => {
    const before = process.listenerCount('SIGINT');
    const used = await inTemporaryFolder('test', async (folder) => {
      expect(existsSync(folder)).toBe(true);
      return folder;
    });
    expect(existsSync(used)).toBe(false);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('is gone after a signal, and a second signal does not end the process meanwhile', async () => {
    const exits: unknown[] = [];
    vi.spyOn(process, 'exit').mockImplementation(((code: unknown) => exits.push(code)) as never);
    await inTemporaryFolder('test', async (folder) => {
      const during = process.listenerCount('SIGINT');
      const [interrupt] = process.rawListeners('SIGINT').slice(-1);
      interrupt?.('SIGINT');
      expect(exits).toEqual([130]);
      expect(existsSync(folder)).toBe(false);
      expect(process.listenerCount('SIGINT')).toBe(during);
    });
  });
});
