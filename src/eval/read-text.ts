/** Reads a file of a test collection whole; they fit into memory. */
import { readFile } from 'node:fs/promises';
import { messageOf, VerbatimError } from '../errors.ts';

/** Throws `unreadable_input` naming the file. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new VerbatimError('unreadable_input', `cannot read ${path}: ${messageOf(error)}`);
  }
}
