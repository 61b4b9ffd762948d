/** Lists the files that the arguments of a build name. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { VerbatimError } from '../../errors.ts';
import type { Input } from './input.ts';
import { isNoteName, NOTE_REASON } from './note-names.ts';
import { STANDARD_INPUT } from './source.ts';
import { systemReason } from './system-reason.ts';
import { type IsExcluded, type Seen, walkFolder } from './walk-folder.ts';

interface Listing {
  isExcluded: IsExcluded;
  /** Shared by all folders. */
  seen: Seen;
}

/**
 * The files as given. Folders are replaced by all their files, patterns such as `data/part*.gz` by
 * what they match, both in the order of the paths. `-` is standard input. A named file is never
 * passed over unless it is excluded. Throws `unreadable_input` with the first path or pattern that
 * is missing or unreadable, and `usage` if standard input is named twice.
 */
export async function listFiles(
  paths: readonly string[],
  isExcluded: IsExcluded = () => false,
): Promise<Input[]> {
  if (paths.filter((path) => path === STANDARD_INPUT).length > 1) {
    throw new VerbatimError('usage', 'standard input (-) can be read only once');
  }
  const listing = { isExcluded, seen: new Map() };
  const inputs: Input[] = [];
  for (const path of paths) {
    // One by one: a hundred thousand would be too many arguments for one call.
    for (const input of await inputsOf(path, listing)) inputs.push(input);
  }
  return inputs;
}

async function inputsOf(path: string, listing: Listing): Promise<Input[]> {
  if (path === STANDARD_INPUT) return [{ path, bytes: undefined, isNamed: true }];
  try {
    const status = await stat(path);
    if (listing.isExcluded(path)) return [{ path, passedOver: 'excluded', why: 'it is excluded' }];
    await access(path, constants.R_OK);
    if (status.isDirectory()) return walkFolder(path, listing);
    return [{ path, bytes: status.isFile() ? status.size : undefined, isNamed: true }];
  } catch (error) {
    // A pattern that the shell did not expand arrives here.
    const found = isDynamicPattern(path)
      ? await glob(path, { absolute: isAbsolute(path), expandDirectories: false })
      : [];
    if (found.length > 0) return Promise.all(found.sort().map((file) => foundInput(file, listing)));
    throw new VerbatimError('unreadable_input', `cannot read ${path}: ${systemReason(error)}`);
  }
}

async function foundInput(path: string, { isExcluded }: Listing): Promise<Input> {
  if (isExcluded(path)) return { path, passedOver: 'excluded', why: 'it is excluded' };
  if (isNoteName(basename(path))) {
    return { path, passedOver: 'note', why: NOTE_REASON };
  }
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return { path, bytes: size, isNamed: false };
}
