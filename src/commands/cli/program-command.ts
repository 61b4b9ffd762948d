/** How this program is started: for people who copy a command, and for a supervisor. */
import { relative, resolve } from 'node:path';
import { bundlePath } from '../../settings/bundle.ts';
import { singleFile } from '../../settings/config.ts';

/** Returns the command that starts this program from the current folder, as a person types it. */
export function programName(): string {
  const file = singleFile();
  if (file !== undefined) return shellWord(file.name);
  const path = relative(process.cwd(), bundlePath());
  return `node ${path.startsWith('..') ? bundlePath() : path}`;
}

/** Returns the words that start this program from any folder: full paths. */
export function programCommand(): string[] {
  const file = singleFile();
  return file === undefined ? [process.execPath, bundlePath()] : [resolve(file.path)];
}

/** Quotes a text as one shell word. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
