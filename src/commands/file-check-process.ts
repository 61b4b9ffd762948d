/** `verbatim check-file` as a process of its own, which cannot harm the server. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Damage } from '../database/damage/damage-register.ts';
import { bundlePath } from '../settings/bundle.ts';
import type { FileCheckEnd, FileCheckLine } from './check-file.ts';

export interface FileCheckProcess {
  /** Ends it at once. */
  stop(): void;
  /** Resolves at its end, with why it did not come to the end of the file if so. Never rejects. */
  ended: Promise<FileCheckEnd | { reason: string }>;
}

export interface FileCheckProcessOptions {
  database: string;
  /** The settings file that `--config` names. */
  config: string | undefined;
  /** The folder of the copy that is searched; '' if there is none. */
  readOnlyIndex: string;
  onDamage: (damage: Damage) => void;
}

const REASON_CHARACTERS_MAX = 500;

export function startFileCheckProcess(options: FileCheckProcessOptions): FileCheckProcess {
  const { database, config, readOnlyIndex, onDamage } = options;
  const chosen = config === undefined ? [] : ['--config', config];
  const place = ['--db', database, '--read-only-index', readOnlyIndex];
  const args = [bundlePath(), 'check-file', ...place, ...chosen];
  // By the channel the process notices the end of a server that could not end it.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let end: FileCheckEnd | undefined;
  let message = '';
  createInterface({ input: child.stdout as Readable }).on('line', (text) => {
    const line = parseLine(text);
    if (line === undefined) return;
    if ('damage' in line) onDamage(line.damage);
    else end = line.ended;
  });
  createInterface({ input: child.stderr as Readable }).on('line', (line) => {
    // Its log is about settings, of which the server has told.
    if (line.trim() !== '' && !line.startsWith('{')) message = line;
  });
  const ended = new Promise<FileCheckEnd | { reason: string }>((resolve) => {
    child.once('error', ({ message: reason }) => resolve({ reason }));
    // When everything it wrote was read.
    child.once('close', (code, signal) => {
      const reason = message.replace(/^verbatim: /, '') || `it ended with ${signal ?? code}`;
      resolve(end ?? { reason: reason.slice(0, REASON_CHARACTERS_MAX) });
    });
  });
  return { stop: () => void child.kill('SIGTERM'), ended };
}

/** Returns undefined for half a line, which a process that is killed may leave. */
function parseLine(text: string): FileCheckLine | undefined {
  try {
    return JSON.parse(text) as FileCheckLine;
  } catch {
    return undefined;
  }
}
