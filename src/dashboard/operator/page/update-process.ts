/** `verbatim index add` or `source update` as a process of its own, which cannot harm the server. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { bundlePath } from '../../../settings/bundle.ts';
import type { Settings } from '../../../settings/config.ts';
import type { BuildFigures } from './build-figures.ts';

export interface UpdateProcess {
  /** The latest counts; undefined at first. */
  progress(): BuildFigures | undefined;
  /** Lets the build end after the documents at hand; the second time, at once. */
  stop(): void;
  /** Resolves at the end. Never rejects. */
  ended: Promise<{ isDone: boolean; message: string }>;
}

const MESSAGE_CHARACTERS_MAX = 500;

export interface UpdateProcessOptions
  extends Pick<Settings, 'database' | 'model' | 'updateFolder'> {
  /** The settings file that `--config` names. */
  config: string | undefined;
}

/** What is updated: the files at a path in the folder, or the sources with these names; none: all. */
export type UpdateTask = { path: string } | { sources: readonly string[] };

export function startUpdateProcess(
  { database, model, updateFolder, config }: UpdateProcessOptions,
  task: UpdateTask,
): UpdateProcess {
  const chosen = [
    ...(config === undefined ? [] : ['--config', config]),
    ...(model === '' ? [] : ['--model', model]),
  ];
  const options = ['--json', '--db', database, ...chosen];
  const command =
    'path' in task
      ? ['index', 'add', ...options, '--within', updateFolder, '--', task.path]
      : ['source', 'update', ...options, '--', ...task.sources];
  const args = [bundlePath(), ...command];
  // By the channel the process notices the end of a server that could not end it.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let progress: BuildFigures | undefined;
  let message = '';
  createInterface({ input: child.stderr as Readable }).on('line', (line) => {
    const figures = progressOf(line);
    if (figures !== undefined) progress = figures;
    else if (line.trim() !== '' && !line.startsWith('{')) {
      message = line.slice(0, MESSAGE_CHARACTERS_MAX);
    }
  });
  const ended = new Promise<{ isDone: boolean; message: string }>((resolve) => {
    child.once('error', ({ message }) => resolve({ isDone: false, message }));
    // When everything it wrote was read.
    child.once('close', (code, signal) => {
      const reason = message.replace(/^verbatim: /, '') || `it ended with ${signal ?? code}`;
      resolve({ isDone: code === 0, message: reason });
    });
  });
  return { progress: () => progress, stop: () => void child.kill('SIGTERM'), ended };
}

/** Returns the counts of a line of progress; undefined for another line. */
function progressOf(line: string): BuildFigures | undefined {
  if (!line.startsWith('{"progress":')) return undefined;
  try {
    return (JSON.parse(line) as { progress: BuildFigures }).progress;
  } catch {
    // A process that is killed may leave half a line.
    return undefined;
  }
}
