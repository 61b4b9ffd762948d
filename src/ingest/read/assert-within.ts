/** Keeps a build to the files of one folder, wherever links lead. */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { VerbatimError } from '../../errors.ts';
import type { Input } from './input.ts';

/** Throws `unreadable_input` with the first file that is not in the folder. */
export function assertWithin(folder: string, files: readonly Input[]): void {
  const top = realpathSync(folder);
  const outside = files.find(
    (file) => !('passedOver' in file || 'unreadable' in file) && !isWithin(top, file.path),
  );
  if (outside === undefined) return;
  throw new VerbatimError('unreadable_input', `${outside.path} leads out of ${folder}`);
}

/** Whether a file is in a folder, wherever links lead. Throws if it is missing. */
export function isWithin(top: string, path: string): boolean {
  const way = relative(top, realpathSync(path));
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
