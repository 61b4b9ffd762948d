/** Writes a file that is there whole or not at all, and never in place of another. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, VerbatimError } from '../../errors.ts';

/** What became of a file: `kept` if there was one. */
export type WrittenState = 'written' | 'kept';

/**
 * Writes the file and its folders, with the given permissions for the file. Returns `kept` if
 * something has the path already. Throws `unwritable_output`.
 */
export function writeNewFile(path: string, text: string, mode: number): WrittenState {
  const partial = `${path}.partial`;
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return 'kept';
    mkdirSync(dirname(path), { recursive: true });
    writeDurably(partial, text, mode);
    const state = nameWithoutReplacing(partial, path);
    rmSync(partial);
    return state;
  } catch (error) {
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
  }
}

function writeDurably(path: string, text: string, mode: number): void {
  const file = openSync(path, 'w', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A link, unlike a renamed file, does not replace what another process wrote meanwhile. */
function nameWithoutReplacing(partial: string, path: string): WrittenState {
  try {
    linkSync(partial, path);
    return 'written';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'kept';
    throw error;
  }
}
