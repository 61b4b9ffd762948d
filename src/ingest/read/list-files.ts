/** The files that the arguments of a build name. */
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { messageOf, VerbatimError } from '../../errors.ts';
import { STANDARD_INPUT } from './source.ts';

/**
 * Files as given, folders walked to all their files in the order of their names, patterns such as
 * `data/part*.gz` replaced by what they find, in that order too; hidden ones are left out. `-` is
 * standard input. Throws `unreadable_input` naming the first path or pattern that is not there.
 */
export async function listFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) files.push(...(await filesOf(path)));
  return files;
}

async function filesOf(path: string): Promise<string[]> {
  if (path === STANDARD_INPUT) return [path];
  try {
    return (await stat(path)).isDirectory() ? await walk(path) : [path];
  } catch (error) {
    // The shell hands on a pattern that it was told not to expand, or could not.
    const found = isDynamicPattern(path)
      ? await glob(path, { absolute: isAbsolute(path), expandDirectories: false })
      : [];
    if (found.length > 0) return found.sort();
    throw new VerbatimError('unreadable_input', `cannot read ${path}: ${messageOf(error)}`);
  }
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
