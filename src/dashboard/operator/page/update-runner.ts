/** Updates of the index that operators start: one at a time, and the next start goes on with them. */
import type { Settings } from '../../../config.ts';
import { detailsOf, messageOf, VerbatimError } from '../../../errors.ts';
import type { BuildProgress } from '../../../ingest/build.ts';
import type { Log } from '../../../log.ts';
import type { IndexUpdate, UpdateStore } from '../../../store/accounts/index-updates.ts';
import { resolveUpdatePath } from './update-path.ts';
import { startUpdateProcess, type UpdateProcess } from './update-process.ts';

export interface RunningUpdate {
  path: string;
  actor: string;
  startedAt: number;
  isStopping: boolean;
  /** Undefined until the build says something. */
  progress: Partial<BuildProgress> | undefined;
}

export interface UpdateRunner {
  /** Why no update can be started, in words; undefined if one can. */
  refusal(): string | undefined;
  /**
   * Starts an update when `note` has resolved, which tells the trail. Rejects with `invalid_field` for a
   * path that is not in the folder, with `usage` if no update can be started or one runs, and with what
   * `note` rejects with.
   */
  start(given: { path: string; actor: string; note: () => Promise<void> }): Promise<void>;
  /** Stops the update that runs, if there is one, when `note` has resolved. */
  stop(note: (path: string) => Promise<void>): Promise<void>;
  running(): RunningUpdate | undefined;
  /** Those that were started, latest first. */
  list(limit: number): IndexUpdate[];
  /** Goes on with the update that the end of the server cut short. */
  resume(): Promise<void>;
  /** Ends the process; the next start goes on. */
  close(): void;
}

export interface UpdateRunnerOptions {
  settings: Pick<
    Settings,
    'updateFolder' | 'updatesKeptMax' | 'readOnlyIndex' | 'database' | 'model'
  >;
  store: UpdateStore;
  log: Log;
  now: () => number;
  startProcess?: typeof startUpdateProcess;
}

type Current = Pick<RunningUpdate, 'path' | 'actor' | 'startedAt' | 'isStopping'> & {
  process: UpdateProcess | undefined;
};

export function createUpdateRunner(options: UpdateRunnerOptions): UpdateRunner {
  const { settings, store, log, now, startProcess = startUpdateProcess } = options;
  let current: Current | undefined;
  let isClosed = false;

  const refusal = (): string | undefined => {
    if (settings.updateFolder === '') return 'there is no folder for updates';
    if (settings.readOnlyIndex !== '') return 'this server reads copies of an index';
    return undefined;
  };

  /** Runs the process to its end, and keeps what came of it. */
  const run = async (update: Current, id: number): Promise<void> => {
    const files = await resolveUpdatePath(settings.updateFolder, update.path);
    update.process = startProcess(settings, files);
    if (isClosed || update.isStopping) update.process.stop();
    const { isDone, message } = await update.process.ended;
    if (isClosed) return;
    const outcome = isDone ? 'done' : update.isStopping ? 'stopped' : 'failed';
    if (outcome === 'failed')
      log.warn('index_update_failed', { path: update.path, reason: message });
    await store.end({ id, outcome, message: outcome === 'failed' ? message : null, now: now() });
  };

  const runInBackground = (update: Current, id: number): void => {
    run(update, id)
      .catch(async (error: unknown) => {
        if (isClosed) return;
        log.error('index_update_failed', { reason: detailsOf(error) });
        const message = messageOf(error);
        await store.end({ id, outcome: 'failed', message, now: now() }).catch(() => {});
      })
      .finally(() => {
        current = undefined;
      });
  };

  return {
    refusal,
    async start({ path, actor, note }) {
      const why = refusal();
      if (why !== undefined) throw new VerbatimError('usage', why);
      if (current !== undefined) throw new VerbatimError('usage', 'an update is running already');
      const update: Current = {
        path,
        actor,
        startedAt: now(),
        isStopping: false,
        process: undefined,
      };
      // Before anything is waited for, so that of two at once one is refused.
      current = update;
      try {
        await resolveUpdatePath(settings.updateFolder, path);
        await note();
        const added = { path, actor, now: now(), updatesMax: settings.updatesKeptMax };
        runInBackground(update, await store.add(added));
      } catch (error) {
        current = undefined;
        throw error;
      }
    },
    async stop(note) {
      const update = current;
      if (update === undefined) return;
      await note(update.path);
      update.isStopping = true;
      update.process?.stop();
    },
    running: () =>
      current && {
        path: current.path,
        actor: current.actor,
        startedAt: current.startedAt,
        isStopping: current.isStopping,
        progress: current.process?.progress(),
      },
    list: (limit) => store.list(limit),
    async resume() {
      const [latest] = store.list(1);
      if (latest === undefined || latest.endedAt !== null || current !== undefined) return;
      const { id, path, actor, startedAt } = latest;
      const why = refusal();
      if (why !== undefined) {
        await store.end({ id, outcome: 'failed', message: why, now: now() });
        return;
      }
      current = { path, actor, startedAt, isStopping: false, process: undefined };
      log.info('index_update_resumed', { path });
      runInBackground(current, id);
    },
    close() {
      isClosed = true;
      current?.process?.stop();
    },
  };
}
