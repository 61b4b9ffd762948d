/** The files that the arguments of a build name. */
import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { messageOf, VerbatimError } from '../errors.ts';

/**
 * Files as given, folders walked to all their files in the order of their names; hidden ones are
 * left out. Throws `unreadable_input` naming the first path that is not there.
 */
export async function listFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    try {
      const isFolder = (await stat(path)).isDirectory();
      files.push(...(isFolder ? await walk(path) : [path]));
    } catch (error) {
      throw new VerbatimError('unreadable_input', `cannot read ${path}: ${messageOf(error)}`);
    }
  }
  return files;
}

async function walk(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const files: string[] = [];
  for (const name of names.sort()) {
    if (name.split(sep).some((part) => part.startsWith('.'))) continue;
    // Not the entry's own type: a link to a file counts as that file.
    if ((await stat(join(folder, name))).isFile()) files.push(join(folder, name));
  }
  return files;
}
