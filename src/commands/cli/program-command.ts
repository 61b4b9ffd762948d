/** How this program is started: for people who copy a command, and for a supervisor. */
import { execFileSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { bundlePath } from '../../bundle.ts';
import { singleFile } from '../../config.ts';

/** Returns the command that starts this program from the current folder, as a person types it. */
export function programName(): string {
  const file = singleFile();
  if (file !== undefined) return shellWord(file);
  const path = relative(process.cwd(), bundlePath());
  return `node ${path.startsWith('..') ? bundlePath() : path}`;
}

/** Returns the words that start this program from any folder: full paths. */
export function programCommand(): string[] {
  const file = singleFile();
  if (file === undefined) return [process.execPath, bundlePath()];
  return [resolve(file.includes('/') ? file : findOnPath(file))];
}

/** A shell finds a name without a slash as it did when it started this program. */
function findOnPath(name: string): string {
  const options = { encoding: 'utf8' } as const;
  return execFileSync('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', name], options).trim();
}

/** Quotes a text as one shell word. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
