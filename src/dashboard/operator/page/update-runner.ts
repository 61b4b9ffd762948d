/** Updates of the index that operators start: one at a time, and the next start goes on with them. */

import type {
  IndexUpdate,
  UpdateOutcome,
  UpdateStore,
} from '../../../accounts/sql/index-updates.ts';
import { messageOf, VerbatimError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { Settings } from '../../../settings/config.ts';
import type { BuildFigures } from './build-figures.ts';
import { resolveUpdatePath } from './update-path.ts';
import { startUpdateProcess, type UpdateProcess, type UpdateTask } from './update-process.ts';

export interface RunningUpdate {
  /** What is updated: a path in the folder, or `source:` with the name of a source; without: all. */
  path: string;
  actor: string;
  startedAt: number;
  isStopping: boolean;
  /** Undefined until the build says something. */
  progress: BuildFigures | undefined;
}

export interface UpdateRunner {
  /** Why no update with this path can be started, in words; undefined if one can. */
  rejection(path?: string): string | undefined;
  /**
   * Starts an update when `note` has resolved, which tells the trail. Rejects with `invalid_field` for a
   * path that is not in the folder, with `usage` if no update can be started or one runs, and with what
   * `note` rejects with.
   */
  start(input: { path: string; actor: string; note: () => Promise<void> }): Promise<void>;
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
  /** The settings file that `--config` names; the process of an update reads the same one. */
  config: string | undefined;
  store: UpdateStore;
  log: Log;
  now: () => number;
  startProcess?: typeof startUpdateProcess;
}

interface Current extends Omit<RunningUpdate, 'progress'> {
  process: UpdateProcess | undefined;
}

export function createUpdateRunner(options: UpdateRunnerOptions): UpdateRunner {
  const { settings, store, now } = options;
  let current: Current | undefined;
  let isClosed = false;

  const rejection = (path = ''): string | undefined => {
    if (settings.readOnlyIndex !== '') return 'this server reads copies of an index';
    if (sourceIn(path) !== undefined || settings.updateFolder !== '') return undefined;
    return 'there is no folder for updates';
  };
  const runInBackground = (update: Current, id: number): void => {
    void runUpdate(options, { update, id, isClosed: () => isClosed }).finally(() => {
      current = undefined;
    });
  };

  return {
    rejection,
    async start({ path, actor, note }) {
      const reason = rejection(path);
      if (reason !== undefined) throw new VerbatimError('usage', reason);
      if (current !== undefined) throw new VerbatimError('usage', 'an update is running already');
      // Before anything is waited for, so that of two at once one is rejected.
      const update = newCurrent({ path, actor, startedAt: now() });
      current = update;
      try {
        await taskOf(path, settings);
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
    running() {
      if (current === undefined) return undefined;
      const { process, ...update } = current;
      return { ...update, progress: process?.progress() };
    },
    list: (limit) => store.list(limit),
    async resume() {
      const [latest] = store.list(1);
      if (latest === undefined || latest.endedAt !== null || current !== undefined) return;
      const reason = rejection(latest.path);
      if (reason === undefined) {
        current = newCurrent(latest);
        runInBackground(current, latest.id);
      } else {
        await store.end({ id: latest.id, outcome: 'failed', message: reason, now: now() });
      }
    },
    close() {
      isClosed = true;
      current?.process?.stop();
    },
  };
}

/** Begins what names a source instead of a path. */
export const SOURCE_PREFIX = 'source:';

/** The source that is named in place of a path: '' for all, undefined for a path. */
export function sourceIn(path: string): string | undefined {
  return path.startsWith(SOURCE_PREFIX) ? path.slice(SOURCE_PREFIX.length) : undefined;
}

async function taskOf(
  path: string,
  { updateFolder }: { updateFolder: string },
): Promise<UpdateTask> {
  const source = sourceIn(path);
  if (source !== undefined) return { sources: source === '' ? [] : [source] };
  return { path: await resolveUpdatePath(updateFolder, path) };
}

function newCurrent({ path, actor, startedAt }: Omit<Current, 'isStopping' | 'process'>): Current {
  return { path, actor, startedAt, isStopping: false, process: undefined };
}

interface Run {
  update: Current;
  id: number;
  /** Whether the server ends. Then nothing is kept, and the next start goes on. */
  isClosed: () => boolean;
}

/** Runs the process to its end, and keeps what came of it. Never rejects. */
async function runUpdate(
  { settings, config, store, log, now, startProcess = startUpdateProcess }: UpdateRunnerOptions,
  { update, id, isClosed }: Run,
): Promise<void> {
  const end = async (outcome: UpdateOutcome, message: string | null): Promise<void> => {
    if (isClosed()) return;
    if (message !== null) log.warn('index_update_failed', { path: update.path, reason: message });
    await store.end({ id, outcome, message, now: now() });
  };
  try {
    const task = await taskOf(update.path, settings);
    update.process = startProcess({ ...settings, config }, task);
    if (isClosed() || update.isStopping) update.process.stop();
    const { isDone, message } = await update.process.ended;
    if (isDone) await end('done', null);
    else if (update.isStopping) await end('stopped', null);
    else await end('failed', message);
  } catch (error) {
    // If this cannot be written either, the next start goes on with it.
    await end('failed', messageOf(error)).catch(() => {});
  }
}
