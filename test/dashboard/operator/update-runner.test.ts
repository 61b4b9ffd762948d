import { describe, expect, it } from 'vitest';
import {
  addIndexUpdate,
  endIndexUpdate,
  listIndexUpdates,
  type UpdateStore,
} from '../../../src/accounts/sql/index-updates.ts';
import { createUpdateRunner } from '../../../src/dashboard/operator/page/update-runner.ts';
import { createLog } from '../../../src/log.ts';
import { openMemoryStore, temporaryFolder } from '../../support/accounts.ts';
import { PATIENT } from '../../support/patient.ts';

interface Process {
  path: string;
  stops: number;
  end: (isDone: boolean, message?: string) => void;
}

const updateFolder = temporaryFolder();

/** A runner whose processes end when they are told to. */
function newRunner(changed: { updateFolder?: string; readOnlyIndex?: string } = {}) {
  const db = openMemoryStore();
  const processes: Process[] = [];
  const lines: string[] = [];
  let now = 100;
  const store: UpdateStore = {
    add: async (input) => addIndexUpdate(db, input),
    end: async (input) => endIndexUpdate(db, input),
    list: (limit) => listIndexUpdates(db, limit),
  };
  const settings = { updateFolder, readOnlyIndex: '', updatesKeptMax: 3, database: '', model: '' };
  const open = (others = changed) =>
    createUpdateRunner({
      settings: { ...settings, ...others },
      config: undefined,
      store,
      log: createLog((line) => lines.push(line)),
      now: () => ++now,
      startProcess: (_settings, task) => {
        const process: Process = {
          path: 'path' in task ? task.path : task.sources.join(),
          stops: 0,
          end: () => {},
        };
        const ended = new Promise<{ isDone: boolean; message: string }>((resolve) => {
          process.end = (isDone, message = '') => resolve({ isDone, message });
        });
        processes.push(process);
        return { progress: () => ({ added: 7 }), stop: () => process.stops++, ended };
      },
    });
  const runner = open();
  /** Starts an update, and waits for its process. */
  const start = async (): Promise<void> => {
    const number = processes.length + 1;
    await runner.start(whole);
    await expect.poll(() => processes.length, PATIENT).toBe(number);
  };
  return { runner, start, open, processes, lines };
}

const note = async (): Promise<void> => {};
const whole = { path: '', actor: 'ada', note };

describe('updates of the index', () => {
  it('run one at a time, and what came of them is kept', async () => {
    const { runner, processes } = newRunner();
    const both = await Promise.allSettled([runner.start(whole), runner.start(whole)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect.poll(() => processes.length, PATIENT).toBe(1);
    expect(processes[0]?.path).toBe(updateFolder);
    expect(runner.running()).toMatchObject({ path: '', actor: 'ada', progress: { added: 7 } });
    await expect(runner.start(whole)).rejects.toThrow('running already');
    processes[0]?.end(true);
    await expect.poll(runner.running, PATIENT).toBeUndefined();
    expect(runner.list(9)).toMatchObject([{ actor: 'ada', outcome: 'done', message: null }]);
  });

  it('are stopped, and the second time at once', async () => {
    const { runner, start, processes } = newRunner();
    await start();
    await runner.stop(note);
    await runner.stop(note);
    expect([processes[0]?.stops, runner.running()?.isStopping]).toEqual([2, true]);
    processes[0]?.end(false, 'interrupted');
    await expect.poll(runner.running, PATIENT).toBeUndefined();
    expect(runner.list(1)).toMatchObject([{ outcome: 'stopped', message: null }]);
    await runner.stop(note);
  });

  it('say why they failed', async () => {
    const { runner, start, processes, lines } = newRunner();
    await start();
    processes[0]?.end(false, 'the disk is full');
    await expect.poll(runner.running, PATIENT).toBeUndefined();
    expect(runner.list(1)).toMatchObject([{ outcome: 'failed', message: 'the disk is full' }]);
    expect(lines.join()).toContain('the disk is full');
  });

  it('go on with the next start of the server', async () => {
    const { runner, start, open, processes } = newRunner();
    await start();
    runner.close();
    expect(processes[0]?.stops).toBe(1);
    processes[0]?.end(false, 'interrupted');
    await expect.poll(runner.running, PATIENT).toBeUndefined();
    expect(runner.list(1)).toMatchObject([{ outcome: null }]);
    const next = open();
    await next.resume();
    await expect.poll(() => processes.length, PATIENT).toBe(2);
    expect(next.running()).toMatchObject({ actor: 'ada' });
    processes[1]?.end(true);
    await expect.poll(next.running, PATIENT).toBeUndefined();
    await next.resume();
    expect([processes.length, next.list(9).length]).toEqual([2, 1]);
  });

  it('do not go on where none can be started any more', async () => {
    const { runner, start, open } = newRunner();
    await start();
    runner.close();
    const next = open({ updateFolder: '' });
    await next.resume();
    expect(next.list(1)).toMatchObject([
      { outcome: 'failed', message: 'there is no folder for updates' },
    ]);
  });

  it.each([
    [{ updateFolder: '' }, 'there is no folder for updates'],
    [{ readOnlyIndex: '/copies' }, 'this server reads copies of an index'],
  ])('are refused with %j', async (changed, why) => {
    const { runner, processes } = newRunner(changed);
    expect(runner.rejection()).toBe(why);
    await expect(runner.start(whole)).rejects.toThrow(why);
    expect(processes).toEqual([]);
  });

  it('begin only if the path is in the folder, and the trail knows', async () => {
    const { runner, processes } = newRunner();
    await expect(runner.start({ ...whole, path: '../x' })).rejects.toThrow('must not contain ..');
    const refused = { ...whole, note: () => Promise.reject(new Error('no trail')) };
    await expect(runner.start(refused)).rejects.toThrow('no trail');
    expect([runner.running(), processes, runner.list(9)]).toEqual([undefined, [], []]);
  });

  it('are kept up to a maximum', async () => {
    const { runner, start, processes } = newRunner();
    for (let number = 1; number <= 5; number++) {
      await start();
      processes[number - 1]?.end(true);
      await expect.poll(runner.running, PATIENT).toBeUndefined();
    }
    expect(runner.list(9)).toHaveLength(3);
  });
});
